/* cuda_runtime_api.h: the runtime's calls that Loom has, in C11 and
   C++17, with CUDA's names, numbers and signatures (CUDA 13). */
#ifndef LOOM_CUDA_RUNTIME_API_H
#define LOOM_CUDA_RUNTIME_API_H

#include <stddef.h>

#include "loom/arena.h"
#include "loom/loom.h"

#define CUDART_VERSION 13000

#ifdef __cplusplus
#define LOOM_OR(value) = value
extern "C" {
#else
#define LOOM_OR(value)
#endif

/* define the types of the runtime */

/* list the errors of running kernels */
#define LOOM_MORE_ERRORS(X)                                                    \
    X(ErrorIllegalAddress, 700, "an illegal memory access was encountered")    \
    X(ErrorLaunchOutOfResources, 701,                                          \
      "too many resources requested for launch")                               \
    X(ErrorLaunchTimeout, 702, "the launch timed out and was terminated")      \
    X(ErrorAssert, 710, "device-side assert triggered")                        \
    X(ErrorMisalignedAddress, 716, "misaligned address")                       \
    X(ErrorLaunchFailure, 719, "unspecified launch failure")                   \
    X(ErrorCooperativeLaunchTooLarge, 720,                                     \
      "too many blocks in cooperative launch")                                 \
    X(ErrorNotSupported, 801, "operation not supported")                       \
    X(ErrorStreamCaptureUnsupported, 900,                                      \
      "operation not permitted when stream is capturing")                      \
    X(ErrorStreamCaptureInvalidated, 901,                                      \
      "operation failed due to a previous error during capture")               \
    X(ErrorStreamCaptureMerge, 902,                                            \
      "operation would result in a merge of separate capture sequences")       \
    X(ErrorStreamCaptureUnmatched, 903,                                        \
      "capture was not ended in the same stream as it began")                  \
    X(ErrorStreamCaptureImplicit, 906,                                         \
      "operation would make the legacy stream depend on a capturing blocking " \
      "stream")                                                                \
    X(ErrorCapturedEvent, 907,                                                 \
      "operation not permitted on an event last recorded in a capturing "      \
      "stream")

/* list the errors */
#define LOOM_ERRORS(X)                                                      \
    X(Success, 0, "no error")                                               \
    X(ErrorInvalidValue, 1, "invalid argument")                             \
    X(ErrorMemoryAllocation, 2, "out of memory")                            \
    X(ErrorInitializationError, 3, "initialization error")                  \
    X(ErrorInvalidConfiguration, 9, "invalid configuration argument")       \
    X(ErrorInvalidPitchValue, 12, "invalid pitch argument")                 \
    X(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
    X(ErrorInsufficientDriver, 35,                                          \
      "CUDA driver version is insufficient for CUDA runtime version")       \
    X(ErrorNoDevice, 100, "no CUDA-capable device is detected")             \
    X(ErrorInvalidDevice, 101, "invalid device ordinal")                    \
    X(ErrorNoKernelImageForDevice, 209,                                     \
      "no kernel image is available for execution on the device")           \
    X(ErrorInvalidResourceHandle, 400, "invalid resource handle")           \
    X(ErrorIllegalState, 401,                                               \
      "the operation cannot be performed in the present state")             \
    X(ErrorNotReady, 600, "device not ready")                               \
    LOOM_MORE_ERRORS(X)

/* define the error codes */
#define LOOM_CODE(name, number, text) cuda##name = number,
typedef enum cudaError { LOOM_ERRORS(LOOM_CODE) } cudaError_t;

/* list the attributes */
#define LOOM_ATTRIBUTES(X)                                                     \
    X(MaxThreadsPerBlock, 1, p.maxThreadsPerBlock)                             \
    X(MaxSharedMemoryPerBlock, 8, (int)p.sharedMemPerBlock)                    \
    X(WarpSize, 10, p.warpSize)                                                \
    X(MaxRegistersPerBlock, 12, p.regsPerBlock)                                \
    X(ClockRate, 13, 0)                                                        \
    X(MultiProcessorCount, 16, p.multiProcessorCount)                          \
    X(MemoryClockRate, 36, 0)                                                  \
    X(GlobalMemoryBusWidth, 37, p.memoryBusWidth)                              \
    X(L2CacheSize, 38, p.l2CacheSize)                                          \
    X(MaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor)          \
    X(AsyncEngineCount, 40, p.asyncEngineCount)                                \
    X(ComputeCapabilityMajor, 75, p.major)                                     \
    X(ComputeCapabilityMinor, 76, p.minor)                                     \
    X(MaxSharedMemoryPerMultiprocessor, 81, (int)p.sharedMemPerMultiprocessor) \
    X(MaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor)              \
    X(ManagedMemory, 83, p.managedMemory)                                      \
    X(ConcurrentManagedAccess, 89, p.concurrentManagedAccess)                  \
    X(CooperativeLaunch, 95, p.cooperativeLaunch)                              \
    X(MaxSharedMemoryPerBlockOptin, 97, (int)p.sharedMemPerBlockOptin)         \
    X(MaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor)

/* define the attributes */
#define LOOM_ATTRIBUTE(name, number, value) cudaDevAttr##name = number,
enum cudaDeviceAttr { LOOM_ATTRIBUTES(LOOM_ATTRIBUTE) };

/* define the device's properties */
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem;
    size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin;
    size_t reservedSharedMemPerBlock;
    int major, minor;
    int multiProcessorCount, warpSize;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int regsPerBlock, regsPerMultiprocessor;
    int l2CacheSize, memoryBusWidth, ECCEnabled, asyncEngineCount;
    int concurrentKernels, cooperativeLaunch, integrated, unifiedAddressing;
    int managedMemory, concurrentManagedAccess, pageableMemoryAccess;
    int pciBusID, pciDeviceID, pciDomainID;
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

/* define the types of graphs */
struct cudaFuncAttributes { /* 0: Loom does not know */
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum {
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

/* define the types of copies */
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1 };
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};
enum { cudaCpuDeviceId = -1 };

/* declare the calls of the runtime */
const char *cudaGetErrorName(cudaError_t e);
const char *cudaGetErrorString(cudaError_t e);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeAsync(void *p, cudaStream_t s);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t count,
                       enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count,
                            enum cudaMemcpyKind kind,
                            cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemset(void *p, int value, size_t count);
cudaError_t cudaMemsetAsync(void *p, int value, size_t count,
                            cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaMemPrefetchAsync(const void *p, size_t count,
                                 struct cudaMemLocation where,
                                 unsigned int flags, cudaStream_t s LOOM_OR(0));
cudaError_t cudaStreamCreate(cudaStream_t *s);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned int flags);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e,
                                unsigned int flags LOOM_OR(0));
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned int flags);
cudaError_t cudaEventCreate(cudaEvent_t *e);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s LOOM_OR(0));
cudaError_t cudaEventQuery(cudaEvent_t e);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
cudaError_t cudaStreamBeginCapture(cudaStream_t s,
                                   enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph);
cudaError_t cudaGraphDestroy(cudaGraph_t g);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g,
                                 unsigned long long flags LOOM_OR(0));
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s);
cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n);
/* Starts the kernel if its sizes are allowed. What goes wrong is returned by
   later calls, as CUDA does. */
cudaError_t loom_start(const struct loom_launch *l, cudaStream_t stream);

/* cudaFuncSetAttribute and cudaFuncGetAttributes for the kernel that is
   written so, and how many blocks fit into a multiprocessor. */
cudaError_t loom_set_attribute(const char *kernel,
                               enum cudaFuncAttribute attribute, int value);
cudaError_t loom_get_attributes(struct cudaFuncAttributes *a,
                                const char *kernel);
cudaError_t loom_occupancy(int *blocks, int threads, size_t shared);

/* The first of the arguments in text, as a kernel's name. */
const char *loom_first_name(const char *text);

/* Allocates memory of a kind; file and line are where. */
cudaError_t loom_malloc(void **p, size_t bytes, enum loom_kind kind,
                        const char *file, int line);

/* Copies count bytes between the host and a symbol of `size` bytes. */
cudaError_t loom_symbol(void *symbol, size_t size, void *host, size_t count,
                        size_t offset, int to_symbol);

#ifndef __cplusplus

/* allocate for programs in C */
#define cudaMalloc(p, bytes) \
    loom_malloc((void **)(p), bytes, LOOM_DEVICE, __FILE__, __LINE__)
#define cudaMallocHost(p, bytes) \
    loom_malloc((void **)(p), bytes, LOOM_HOST, __FILE__, __LINE__)
#define cudaMallocManaged(p, bytes, flags) \
    loom_malloc((void **)(p), bytes, LOOM_MANAGED, __FILE__, __LINE__)
#endif
/* Has the stream do run(args): now, or, while it is recorded, with a copy of
   the args whenever the graph is launched. */
cudaError_t loom_enqueue(cudaStream_t s, void (*run)(void *args),
                         const void *args, size_t bytes);

/* Whether the count bytes at p are not where they should be, which is then
   reported with the call and the role of p in it. Between loom_open and
   loom_done. */
int loom_blamed(const char *call, const char *role, const void *p, size_t count,
                int on_device);

/* The count bytes at p have been written by a call. */
void loom_written(const void *p, size_t count);

#ifdef __cplusplus
}
#endif
#endif

/* cuda_runtime.h: what nvcc gives a .cu file, for g++ and clang++. In C it is
   the runtime's calls alone. */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

/* include what nvcc includes */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h> /* clock() */
#include "loom/cuda_runtime_api.h"

#ifdef __cplusplus
#include <initializer_list>
#include <type_traits>
#include <tuple>
#include <typeinfo>
#include <utility>
#include "loom/entry.h"
#define __LOOM__ 1 /* this is Loom */

/* define CUDA's qualifiers */

/* leave CUDA's words to the rewriter */
#ifdef LOOM_WORDS
#define __global__ __global__
#define __device__ __device__
#define __host__ __host__
#define __constant__ __constant__
#define __managed__ __managed__
#define __shared__ __shared__
#define __grid_constant__ __grid_constant__
#define __launch_bounds__ __launch_bounds__
#define __forceinline__ __forceinline__
#define __noinline__ __noinline__
#define __align__ __align__
#else
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#ifdef __CUDACC__ /* headers of the C++ library use this word */
#define __noinline__ __attribute__((noinline))
#endif

/* define shared memory */
#ifdef __clang__
#define __shared__ static thread_local
#else
#define __shared__ static __thread
#endif
#endif

/* say the shape of clusters */
#include "loom/cluster.h"
#define __cluster_dims__(...)
struct loom_cluster_of {
    loom_cluster_of(const char *kernel, unsigned x, unsigned y = 1,
                    unsigned z = 1)
    {
        loom_cluster_dims(kernel, x, y, z);
    }
};

/* declare the built-in variables */
extern "C" const __thread uint3 threadIdx;
extern "C" const __thread uint3 blockIdx;
extern "C" const __thread dim3 blockDim;
extern "C" const __thread dim3 gridDim;
constexpr int warpSize = 32;

/* turn a launch into calls */

/* know a kernel by its address */
extern "C" __thread char loom_dynamic[]; /* shared memory */
extern "C" __thread void *loom_pending;  /* the configuration of a launch */

#ifdef LOOM_ARCH /* the device reports what __CUDA_ARCH__ says */
extern "C" {
__attribute__((weak)) int loom_capability = LOOM_ARCH / 10;
}
#endif
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
extern "C" {
__attribute__((weak)) int loom_per_thread = 1;
}
#endif
#ifdef LOOM_TWIN /* the device's half of a source */
#define LOOM_FIRST __attribute__((init_priority(101)))
#else
#define LOOM_TWIN 0
#define LOOM_FIRST
#endif
#ifdef __GXX_RTTI /* tells apart what text cannot: two lambdas */
#define LOOM_KEY(type) typeid(type).name()
#else
#define LOOM_KEY(type) text()
#endif
#ifndef LOOM_UNIT /* names a source that is compiled twice */
#define LOOM_UNIT NULL
#endif

struct loom_known : loom_entry {
    loom_known(const void *kernel, void (*thread)(void *),
               int (*start)(loom_launch *, void **, void *), const char *text,
               const char *key)
        : loom_entry{kernel, thread,    start, text, LOOM_UNIT,
                     key,    LOOM_TWIN, 0,     NULL}
    {
        loom_enter(this);
    }
};

/* describe the configuration of a launch */
/* The part between the brackets. file and line are those of the launch. */
struct loom_config {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *kernel, *file;
    int line;
    void *below;

    loom_config(const char *kernel, dim3 grid, dim3 block, size_t shared = 0,
                cudaStream_t stream = 0, const char *file = __builtin_FILE(),
                int line = __builtin_LINE())
        : grid(grid), block(block), shared(shared), stream(stream),
          kernel(kernel), file(file), line(line), below(loom_pending)
    {
        loom_pending = this;
    }
    ~loom_config()
    {
        loom_pending = below;
    }
};

/* run a kernel with its arguments */
template <class T>
struct loom_unrestricted {
    typedef T type;
};
template <class T>
struct loom_unrestricted<T *__restrict__> {
    typedef T *type;
};
template <class T>
using loom_plain = typename loom_unrestricted<T>::type;

template <auto Kernel, class Type = decltype(Kernel)>
struct loom_call;
template <auto Kernel, class... P>
struct loom_call<Kernel, void (*)(P...)> {
    std::tuple<P...> args;

    static void thread(void *call)
    {
        std::apply(Kernel, static_cast<loom_call *>(call)->args);
    }
    /* start a kernel that has no more than an address */
    static loom_known entry;

    static const char *text()
    {
        return __PRETTY_FUNCTION__;
    }
    static const char *key()
    {
        return LOOM_KEY(loom_call);
    }
    template <size_t... I>
    static int begin(loom_launch *l, [[maybe_unused]] void **args,
                     cudaStream_t s, std::index_sequence<I...>)
    {
        loom_call call = {std::tuple<P...>(*(P *)args[I]...)};

        l->thread = entry.thread;
        l->args = &call;
        l->bytes = sizeof call;
        return loom_start(l, s);
    }
    static int start(loom_launch *l, void **args, void *stream)
    {
        return begin(l, args, (cudaStream_t)stream,
                     std::index_sequence_for<P...>());
    }
};

template <auto Kernel, class... A>
void loom_go(A &...args)
{
    loom_call<Kernel> call = {{args...}};
    loom_config *c = (loom_config *)loom_pending;
    loom_entry *e = &loom_call<Kernel>::entry;
    loom_launch l = {c->kernel,   c->file,   c->line,   c->grid,
                     c->block,    c->shared, e->thread, &call,
                     sizeof call, 0,         e,         {}};

    loom_start(&l, c->stream);
}

/* make each kernel known */
template <auto Kernel, class... P>
LOOM_FIRST loom_known loom_call<Kernel, void (*)(P...)>::entry{
    (const void *)Kernel, thread, start, text(), key()};

/* pass typed pointers to the runtime */
#define LOOM_ALLOCATOR(call, kind, ...)                          \
    template <class T>                                           \
    cudaError_t call(T **p, size_t bytes, ##__VA_ARGS__,         \
                     const char *file = __builtin_FILE(),        \
                     int line = __builtin_LINE())                \
    {                                                            \
        return loom_malloc((void **)p, bytes, kind, file, line); \
    }
LOOM_ALLOCATOR(cudaMalloc, LOOM_DEVICE)
LOOM_ALLOCATOR(cudaMallocManaged, LOOM_MANAGED, unsigned = cudaMemAttachGlobal)
LOOM_ALLOCATOR(cudaMallocHost, LOOM_HOST, unsigned = cudaHostAllocDefault)
LOOM_ALLOCATOR(cudaHostAlloc, LOOM_HOST, unsigned)

/* Less special than those: whose addresses are taken. */
template <class P>
cudaError_t cudaMalloc(P p, size_t bytes)
{
    return loom_malloc((void **)p, bytes, LOOM_DEVICE, NULL, 0);
}
template <class P>
cudaError_t cudaMallocHost(P p, size_t bytes)
{
    return loom_malloc((void **)p, bytes, LOOM_HOST, NULL, 0);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t count,
                               size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return loom_symbol((void *)&symbol, sizeof symbol, (void *)from, count,
                       offset, 1);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count,
                                 size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return loom_symbol((void *)&symbol, sizeof symbol, to, count, offset, 0);
}

/* launch with an array of arguments */
#define LOOM_LAUNCHER(call, cooperative)                                 \
    template <class Kernel>                                              \
    cudaError_t call(Kernel *kernel, dim3 grid, dim3 block, void **args, \
                     size_t shared = 0, cudaStream_t stream = 0,         \
                     const char *file = __builtin_FILE(),                \
                     int line = __builtin_LINE())                        \
    {                                                                    \
        loom_launch l = {NULL, file, line, grid,        block, shared,   \
                         NULL, NULL, 0,    cooperative, NULL,  {}};      \
                                                                         \
        return loom_start_call(&l, (const void *)kernel, args, stream);  \
    }
LOOM_LAUNCHER(cudaLaunchKernel, 0)
LOOM_LAUNCHER(cudaLaunchCooperativeKernel, 1)

/* ask about kernels */
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel *kernel,
                                 enum cudaFuncAttribute attribute, int value)
{
    return loom_set_attribute((const void *)kernel, attribute, value);
}

template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, Kernel *kernel)
{
    return loom_get_attributes(a, (const void *)kernel);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel,
                                                          int threads,
                                                          size_t shared)
{
    return loom_occupancy(blocks, threads, shared);
}

/* refuse what is missing */
#define LOOM_LACKS(what) __attribute__((error("Loom lacks " what " so far")))
#define LOOM_LACKS_CALL(name) \
    template <class... A>     \
    LOOM_LACKS(#name)         \
    cudaError_t name(A...);
LOOM_LACKS_CALL(cudaIpcGetMemHandle)
LOOM_LACKS_CALL(cudaIpcOpenMemHandle)
LOOM_LACKS_CALL(cudaIpcCloseMemHandle)
LOOM_LACKS_CALL(cudaIpcGetEventHandle)
LOOM_LACKS_CALL(cudaIpcOpenEventHandle)
LOOM_LACKS_CALL(cudaMemPoolExportToShareableHandle)
LOOM_LACKS_CALL(cudaMemPoolImportFromShareableHandle)
LOOM_LACKS_CALL(cudaMemPoolExportPointer)
LOOM_LACKS_CALL(cudaMemPoolImportPointer)
LOOM_LACKS_CALL(cudaImportExternalMemory)
LOOM_LACKS_CALL(cudaImportExternalSemaphore)
LOOM_LACKS_CALL(cudaExternalMemoryGetMappedBuffer)
LOOM_LACKS_CALL(cudaSignalExternalSemaphoresAsync)
LOOM_LACKS_CALL(cudaWaitExternalSemaphoresAsync)
LOOM_LACKS_CALL(cudaGraphicsGLRegisterBuffer)
LOOM_LACKS_CALL(cudaGraphicsGLRegisterImage)
LOOM_LACKS_CALL(cudaGraphicsMapResources)
LOOM_LACKS_CALL(cudaGraphicsUnmapResources)
LOOM_LACKS_CALL(cudaGraphicsUnregisterResource)
LOOM_LACKS_CALL(cudaGraphicsResourceGetMappedPointer)
LOOM_LACKS_CALL(cudaGraphicsSubResourceGetMappedArray)
LOOM_LACKS_CALL(cudaOccupancyMaxActiveClusters)
LOOM_LACKS_CALL(cudaOccupancyMaxPotentialClusterSize)
LOOM_LACKS_CALL(cudaMemcpy3DPeer)
LOOM_LACKS_CALL(cudaMemcpy3DPeerAsync)
LOOM_LACKS_CALL(cudaMemcpyArrayToArray)
LOOM_LACKS_CALL(cudaMemcpy2DArrayToArray)
LOOM_LACKS_CALL(cudaMemRangeGetAttribute)
LOOM_LACKS_CALL(cudaMemRangeGetAttributes)
LOOM_LACKS_CALL(cudaMemcpyBatchAsync)
LOOM_LACKS_CALL(cudaMemcpy3DBatchAsync)
LOOM_LACKS_CALL(cudaMemPrefetchBatchAsync)
LOOM_LACKS_CALL(cudaGetDriverEntryPoint)
LOOM_LACKS_CALL(cudaGetDriverEntryPointByVersion)
LOOM_LACKS_CALL(cudaGetFuncBySymbol)
LOOM_LACKS_CALL(cudaGetKernel)
LOOM_LACKS_CALL(cudaLibraryLoadData)
LOOM_LACKS_CALL(cudaLibraryLoadFromFile)
LOOM_LACKS_CALL(cudaLibraryGetKernel)
LOOM_LACKS_CALL(cudaUserObjectCreate)
LOOM_LACKS_CALL(cudaGraphRetainUserObject)
LOOM_LACKS_CALL(cudaThreadExchangeStreamCaptureMode)
LOOM_LACKS_CALL(cudaGraphKernelNodeSetAttribute)
LOOM_LACKS_CALL(cudaGraphKernelNodeGetAttribute)
LOOM_LACKS_CALL(cudaGraphKernelNodeCopyAttributes)
LOOM_LACKS_CALL(cudaGraphAddExternalSemaphoresSignalNode)
LOOM_LACKS_CALL(cudaGraphAddExternalSemaphoresWaitNode)
LOOM_LACKS_CALL(cudaArrayGetPlane)
LOOM_LACKS_CALL(cudaArrayGetSparseProperties)
LOOM_LACKS_CALL(cudaDeviceGetTexture1DLinearMaxWidth)
LOOM_LACKS_CALL(cudaDeviceGetNvSciSyncAttributes)
LOOM_LACKS_CALL(cudaDeviceGetP2PAttribute)
LOOM_LACKS_CALL(cudaDeviceFlushGPUDirectRDMAWrites)
LOOM_LACKS_CALL(cudaDeviceRegisterAsyncNotification)
LOOM_LACKS_CALL(cudaFuncGetName)

/* refuse words of the language */
LOOM_LACKS_CALL(__shfl)
LOOM_LACKS_CALL(__shfl_up)
LOOM_LACKS_CALL(__shfl_down)
LOOM_LACKS_CALL(__shfl_xor)
LOOM_LACKS_CALL(__ballot)
LOOM_LACKS_CALL(__any)
LOOM_LACKS_CALL(__all)
#define LOOM_LACKS_TYPE(name)        \
    typedef struct loom_##name *name \
        __attribute__((unavailable("Loom lacks " #name " so far")));
LOOM_LACKS_TYPE(cudaGraphicsResource_t)
LOOM_LACKS_TYPE(cudaExternalMemory_t)
LOOM_LACKS_TYPE(cudaExternalSemaphore_t)
LOOM_LACKS_TYPE(cudaIpcMemHandle_t)
LOOM_LACKS_TYPE(cudaLibrary_t)
#define LOOM_LACKS_WORD(what) \
    static_assert(false, "Loom lacks " what " so far");

#ifdef __CUDACC__
#include "loom/device_functions.h"
#endif
#include "loom/texture.h"
#ifdef __CUDACC__
#include "loom/tiles.h"
#endif
#include "loom/host_calls.h"
#endif
#endif

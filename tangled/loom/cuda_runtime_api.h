/* cuda_runtime_api.h: the runtime's calls that Loom has, in C11 and
   C++17, with CUDA's names, numbers and signatures (CUDA 13). */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include <stddef.h>

#include "loom/arena.h"
#include "loom/loom.h"

#define CUDART_VERSION 13000
#define CUDARTAPI
#define CUDART_CB

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
    X(ErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")    \
    X(ErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")      \
    X(ErrorAssert, 710, "device-side assert triggered")                        \
    X(ErrorHostMemoryAlreadyRegistered, 712,                                   \
      "part or all of the requested memory range is already mapped")           \
    X(ErrorHostMemoryNotRegistered, 713,                                       \
      "pointer does not correspond to a registered memory region")             \
    X(ErrorHardwareStackError, 714, "hardware stack error")                    \
    X(ErrorIllegalInstruction, 715, "an illegal instruction was encountered")  \
    X(ErrorMisalignedAddress, 716, "misaligned address")                       \
    X(ErrorLaunchFailure, 719, "unspecified launch failure")                   \
    X(ErrorCooperativeLaunchTooLarge, 720,                                     \
      "too many blocks in cooperative launch")                                 \
    X(ErrorNotPermitted, 800, "operation not permitted")                       \
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
      "stream")                                                                \
    X(ErrorGraphExecUpdateFailure, 910,                                        \
      "the graph update was not performed because it included changes which "  \
      "violated constraints specific to instantiated graph update")            \
    X(ErrorUnknown, 999, "unknown error")

/* list the errors that Loom never gives */

/* list the last errors that Loom never gives */

/* list errors of processes */
#define LOOM_PROCESS_ERRORS(X)                                               \
    X(ErrorMpsConnectionFailed, 805,                                         \
      "MPS client failed to connect to the MPS control daemon or "           \
      "the MPS server")                                                      \
    X(ErrorMpsRpcFailure, 806,                                               \
      "the remote procedural call between the MPS server and the "           \
      "MPS client failed")                                                   \
    X(ErrorMpsServerNotReady, 807,                                           \
      "MPS server is not ready to accept new MPS client requests")           \
    X(ErrorMpsMaxClientsReached, 808,                                        \
      "the hardware resources required to create MPS client have "           \
      "been exhausted")                                                      \
    X(ErrorMpsMaxConnectionsReached, 809,                                    \
      "the hardware resources required to support device "                   \
      "connections have been exhausted")                                     \
    X(ErrorMpsClientTerminated, 810,                                         \
      "the MPS client has been terminated by the server")                    \
    X(ErrorCdpNotSupported, 811,                                             \
      "is using CUDA Dynamic Parallelism, but the current "                  \
      "configuration, like MPS, does not support it")                        \
    X(ErrorCdpVersionMismatch, 812,                                          \
      "unsupported interaction between different versions of CUDA "          \
      "Dynamic Parallelism")                                                 \
    X(ErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work") \
    X(ErrorStreamCaptureIsolation, 905,                                      \
      "dependency created on uncaptured work in another stream")             \
    X(ErrorStreamCaptureWrongThread, 908,                                    \
      "attempt to terminate a thread-local capture sequence from "           \
      "another thread")                                                      \
    X(ErrorTimeout, 909, "wait operation timed out")                         \
    X(ErrorExternalDevice, 911,                                              \
      "an async error has occured in external entity outside of "            \
      "CUDA")                                                                \
    X(ErrorInvalidClusterSize, 912,                                          \
      "a kernel launch error has occurred due to cluster "                   \
      "misconfiguration")                                                    \
    X(ErrorFunctionNotLoaded, 913,                                           \
      "the function handle is not loaded when calling an API that "          \
      "requires a loaded function")                                          \
    X(ErrorInvalidResourceType, 914,                                         \
      "one or more resources passed in are not valid resource types "        \
      "for the operation")                                                   \
    X(ErrorInvalidResourceConfiguration, 915,                                \
      "one or more resources are insufficient or non-applicable for "        \
      "the operation")                                                       \
    X(ErrorApiFailureBase, 10000, "api failure base")

#define LOOM_LAST_ERRORS(X)                                                    \
    LOOM_PROCESS_ERRORS(X)                                                     \
    X(ErrorNotMappedAsPointer, 213, "resource not mapped as pointer")          \
    X(ErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")       \
    X(ErrorDeviceAlreadyInUse, 216,                                            \
      "exclusive-thread device already in use by a different thread")          \
    X(ErrorInvalidPtx, 218, "a PTX JIT compilation failed")                    \
    X(ErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")   \
    X(ErrorNvlinkUncorrectable, 220,                                           \
      "uncorrectable NVLink error detected during the execution")              \
    X(ErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")     \
    X(ErrorUnsupportedPtxVersion, 222,                                         \
      "the provided PTX was compiled with an unsupported toolchain.")          \
    X(ErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")    \
    X(ErrorUnsupportedExecAffinity, 224,                                       \
      "the provided execution affinity is not supported")                      \
    X(ErrorUnsupportedDevSideSync, 225,                                        \
      "the provided PTX contains unsupported call to "                         \
      "cudaDeviceSynchronize")                                                 \
    X(ErrorContained, 226,                                                     \
      "Invalid access of peer GPU memory over nvlink or a hardware "           \
      "error")                                                                 \
    X(ErrorInvalidSource, 300, "device kernel image is invalid")               \
    X(ErrorFileNotFound, 301, "file not found")                                \
    X(ErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")  \
    X(ErrorSharedObjectInitFailed, 303, "shared object initialization failed") \
    X(ErrorLossyQuery, 402,                                                    \
      "attempted introspection would be semantically lossy")                   \
    X(ErrorLaunchIncompatibleTexturing, 703,                                   \
      "launch uses incompatible texturing mode")                               \
    X(ErrorSetOnActiveProcess, 708,                                            \
      "cannot set while device is active in this process")                     \
    X(ErrorContextIsDestroyed, 709, "context is destroyed")                    \
    X(ErrorTooManyPeers, 711, "peer mapping resources exhausted")              \
    X(ErrorInvalidAddressSpace, 717,                                           \
      "operation not supported on global/shared address space")                \
    X(ErrorInvalidPc, 718, "invalid program counter")                          \
    X(ErrorTensorMemoryLeak, 721, "tensor memory not completely freed")        \
    X(ErrorSystemNotReady, 802, "system not yet initialized")                  \
    X(ErrorSystemDriverMismatch, 803,                                          \
      "system has unsupported display driver / cuda driver "                   \
      "combination")                                                           \
    X(ErrorCompatNotSupportedOnDevice, 804,                                    \
      "forward compatibility was attempted on non supported HW")

/* list errors of devices */
#define LOOM_DEVICE_ERRORS(X)                                                 \
    X(ErrorDuplicateSurfaceName, 45,                                          \
      "duplicate surface looked up by string name")                           \
    X(ErrorDevicesUnavailable, 46,                                            \
      "CUDA-capable device(s) is/are busy or unavailable")                    \
    X(ErrorIncompatibleDriverContext, 49, "incompatible driver context")      \
    X(ErrorMissingConfiguration, 52,                                          \
      "__global__ function call is not configured")                           \
    X(ErrorPriorLaunchFailure, 53,                                            \
      "unspecified launch failure in prior launch")                           \
    X(ErrorLaunchMaxDepthExceeded, 65,                                        \
      "launch would exceed maximum depth of nested launches")                 \
    X(ErrorLaunchFileScopedTex, 66,                                           \
      "launch failed because kernel uses unsupported, file-scoped "           \
      "textures (texture objects are supported)")                             \
    X(ErrorLaunchFileScopedSurf, 67,                                          \
      "launch failed because kernel uses unsupported, file-scoped "           \
      "surfaces (surface objects are supported)")                             \
    X(ErrorSyncDepthExceeded, 68,                                             \
      "cudaDeviceSynchronize failed because caller's grid depth "             \
      "exceeds cudaLimitDevRuntimeSyncDepth")                                 \
    X(ErrorLaunchPendingCountExceeded, 69,                                    \
      "launch failed because launch would exceed "                            \
      "cudaLimitDevRuntimePendingLaunchCount")                                \
    X(ErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")  \
    X(ErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")    \
    X(ErrorStartupFailure, 127, "startup failure in cuda runtime")            \
    X(ErrorInvalidKernelImage, 200, "device kernel image is invalid")         \
    X(ErrorDeviceUninitialized, 201, "invalid device context")                \
    X(ErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")     \
    X(ErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed") \
    X(ErrorArrayIsMapped, 207, "array is mapped")                             \
    X(ErrorAlreadyMapped, 208, "resource already mapped")                     \
    X(ErrorAlreadyAcquired, 210, "resource already acquired")                 \
    X(ErrorNotMapped, 211, "resource not mapped")                             \
    X(ErrorNotMappedAsArray, 212, "resource not mapped as array")

#define LOOM_OTHER_ERRORS(X)                                               \
    LOOM_DEVICE_ERRORS(X)                                                  \
    LOOM_LAST_ERRORS(X)                                                    \
    X(ErrorProfilerDisabled, 5,                                            \
      "profiler disabled while using external profiling tool")             \
    X(ErrorProfilerNotInitialized, 6,                                      \
      "profiler not initialized: call cudaProfilerInitialize()")           \
    X(ErrorProfilerAlreadyStarted, 7, "profiler already started")          \
    X(ErrorProfilerAlreadyStopped, 8, "profiler already stopped")          \
    X(ErrorInvalidHostPointer, 16, "invalid host pointer")                 \
    X(ErrorInvalidTextureBinding, 19, "texture is not bound to a pointer") \
    X(ErrorAddressOfConstant, 22, "invalid address of constant")           \
    X(ErrorTextureFetchFailed, 23, "fetch from texture failed")            \
    X(ErrorTextureNotBound, 24,                                            \
      "cannot fetch from a texture that is not bound")                     \
    X(ErrorSynchronizationError, 25, "incorrect use of __syncthreads()")   \
    X(ErrorInvalidFilterSetting, 26,                                       \
      "linear filtering not supported for non-float type")                 \
    X(ErrorInvalidNormSetting, 27,                                         \
      "read as normalized float not supported for data type")              \
    X(ErrorMixedDeviceExecution, 28,                                       \
      "device emulation mode and device execution mode cannot be "         \
      "mixed")                                                             \
    X(ErrorNotYetImplemented, 31, "feature not yet implemented")           \
    X(ErrorMemoryValueTooLarge, 32,                                        \
      "memory size or pointer value too large to fit in 32 bit")           \
    X(ErrorStubLibrary, 34, "CUDA driver is a stub library")               \
    X(ErrorCallRequiresNewerDriver, 36,                                    \
      "API call is not supported in the installed CUDA driver")            \
    X(ErrorInvalidSurface, 37, "invalid surface reference")                \
    X(ErrorDuplicateVariableName, 43,                                      \
      "duplicate global variable looked up by string name")                \
    X(ErrorDuplicateTextureName, 44,                                       \
      "duplicate texture looked up by string name")

/* list the errors */
#define LOOM_ERRORS(X)                                                      \
    LOOM_OTHER_ERRORS(X)                                                    \
    X(Success, 0, "no error")                                               \
    X(ErrorInvalidValue, 1, "invalid argument")                             \
    X(ErrorMemoryAllocation, 2, "out of memory")                            \
    X(ErrorInitializationError, 3, "initialization error")                  \
    X(ErrorCudartUnloading, 4, "driver shutting down")                      \
    X(ErrorInvalidConfiguration, 9, "invalid configuration argument")       \
    X(ErrorInvalidPitchValue, 12, "invalid pitch argument")                 \
    X(ErrorInvalidSymbol, 13, "invalid device symbol")                      \
    X(ErrorInvalidDevicePointer, 17, "invalid device pointer")              \
    X(ErrorInvalidTexture, 18, "invalid texture reference")                 \
    X(ErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")      \
    X(ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
    X(ErrorInsufficientDriver, 35,                                          \
      "CUDA driver version is insufficient for CUDA runtime version")       \
    X(ErrorInvalidDeviceFunction, 98, "invalid device function")            \
    X(ErrorNoDevice, 100, "no CUDA-capable device is detected")             \
    X(ErrorInvalidDevice, 101, "invalid device ordinal")                    \
    X(ErrorNoKernelImageForDevice, 209,                                     \
      "no kernel image is available for execution on the device")           \
    X(ErrorUnsupportedLimit, 215,                                           \
      "limit is not supported on this architecture")                        \
    X(ErrorPeerAccessUnsupported, 217,                                      \
      "peer access is not supported between these two devices")             \
    X(ErrorOperatingSystem, 304,                                            \
      "OS call failed or operation not supported on this OS")               \
    X(ErrorInvalidResourceHandle, 400, "invalid resource handle")           \
    X(ErrorIllegalState, 401,                                               \
      "the operation cannot be performed in the present state")             \
    X(ErrorSymbolNotFound, 500, "named symbol not found")                   \
    X(ErrorNotReady, 600, "device not ready")                               \
    LOOM_MORE_ERRORS(X)

/* define the error codes */
#define LOOM_CODE(name, number, text) cuda##name = number,
typedef enum cudaError { LOOM_ERRORS(LOOM_CODE) } cudaError_t;

/* list the attributes */

/* list more attributes */
#define LOOM_MORE_ATTRIBUTES(X)                                                \
    X(TexturePitchAlignment, 51, (int)p.texturePitchAlignment)                 \
    X(MaxTextureCubemapWidth, 52, p.maxTextureCubemap)                         \
    X(MaxSurface1DWidth, 55, p.maxSurface1D)                                   \
    X(MaxSurface2DWidth, 56, p.maxSurface2D[0])                                \
    X(MaxSurface2DHeight, 57, p.maxSurface2D[1])                               \
    X(MaxTexture1DLinearWidth, 69, p.maxTexture1DLinear)                       \
    X(MaxTexture2DLinearWidth, 70, p.maxTexture2DLinear[0])                    \
    X(MaxTexture2DLinearHeight, 71, p.maxTexture2DLinear[1])                   \
    X(MaxTexture2DLinearPitch, 72, p.maxTexture2DLinear[2])                    \
    X(ComputeCapabilityMajor, 75, p.major)                                     \
    X(ComputeCapabilityMinor, 76, p.minor)                                     \
    X(StreamPrioritiesSupported, 78, p.streamPrioritiesSupported)              \
    X(GlobalL1CacheSupported, 79, p.globalL1CacheSupported)                    \
    X(LocalL1CacheSupported, 80, p.localL1CacheSupported)                      \
    X(MaxSharedMemoryPerMultiprocessor, 81, (int)p.sharedMemPerMultiprocessor) \
    X(MaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor)              \
    X(ManagedMemory, 83, p.managedMemory)                                      \
    X(IsMultiGpuBoard, 84, p.isMultiGpuBoard)                                  \
    X(MultiGpuBoardGroupID, 85, p.multiGpuBoardGroupID)                        \
    X(HostNativeAtomicSupported, 86, p.hostNativeAtomicSupported)              \
    X(SingleToDoublePrecisionPerfRatio, 87, 2)                                 \
    X(PageableMemoryAccess, 88, p.pageableMemoryAccess)                        \
    X(ConcurrentManagedAccess, 89, p.concurrentManagedAccess)                  \
    X(ComputePreemptionSupported, 90, p.computePreemptionSupported)            \
    X(CanUseHostPointerForRegisteredMem, 91,                                   \
      p.canUseHostPointerForRegisteredMem)                                     \
    X(CooperativeLaunch, 95, p.cooperativeLaunch)                              \
    X(MaxSharedMemoryPerBlockOptin, 97, (int)p.sharedMemPerBlockOptin)         \
    X(CanFlushRemoteWrites, 98, 0)                                             \
    X(HostRegisterSupported, 99, p.hostRegisterSupported)                      \
    X(PageableMemoryAccessUsesHostPageTables, 100, 0)                          \
    X(DirectManagedMemAccessFromHost, 101, p.directManagedMemAccessFromHost)   \
    X(MaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor)           \
    X(MaxPersistingL2CacheSize, 108, p.persistingL2CacheMaxSize)               \
    X(MaxAccessPolicyWindowSize, 109, p.accessPolicyMaxWindowSize)             \
    X(ReservedSharedMemoryPerBlock, 111, (int)p.reservedSharedMemPerBlock)     \
    X(SparseCudaArraySupported, 112, 0)                                        \
    X(HostRegisterReadOnlySupported, 113, 1)                                   \
    X(TimelineSemaphoreInteropSupported, 114, 0)                               \
    X(MemoryPoolsSupported, 115, p.memoryPoolsSupported)                       \
    X(GPUDirectRDMASupported, 116, 0)                                          \
    X(MemoryPoolSupportedHandleTypes, 119, 0)                                  \
    X(ClusterLaunch, 120, p.clusterLaunch)                                     \
    X(DeferredMappingCudaArraySupported, 121, 0)                               \
    X(IpcEventSupport, 125, 0)
#define LOOM_ATTRIBUTES(X)                                            \
    X(MaxThreadsPerBlock, 1, p.maxThreadsPerBlock)                    \
    X(MaxBlockDimX, 2, p.maxThreadsDim[0])                            \
    X(MaxBlockDimY, 3, p.maxThreadsDim[1])                            \
    X(MaxBlockDimZ, 4, p.maxThreadsDim[2])                            \
    X(MaxGridDimX, 5, p.maxGridSize[0])                               \
    X(MaxGridDimY, 6, p.maxGridSize[1])                               \
    X(MaxGridDimZ, 7, p.maxGridSize[2])                               \
    X(MaxSharedMemoryPerBlock, 8, (int)p.sharedMemPerBlock)           \
    X(TotalConstantMemory, 9, (int)p.totalConstMem)                   \
    X(WarpSize, 10, p.warpSize)                                       \
    X(MaxPitch, 11, (int)p.memPitch)                                  \
    X(MaxRegistersPerBlock, 12, p.regsPerBlock)                       \
    X(ClockRate, 13, p.clockRate)                                     \
    X(TextureAlignment, 14, (int)p.textureAlignment)                  \
    X(GpuOverlap, 15, p.asyncEngineCount)                             \
    X(MultiProcessorCount, 16, p.multiProcessorCount)                 \
    X(KernelExecTimeout, 17, 0)                                       \
    X(Integrated, 18, p.integrated)                                   \
    X(CanMapHostMemory, 19, p.canMapHostMemory)                       \
    X(ComputeMode, 20, 0)                                             \
    X(MaxTexture1DWidth, 21, p.maxTexture1D)                          \
    X(MaxTexture2DWidth, 22, p.maxTexture2D[0])                       \
    X(MaxTexture2DHeight, 23, p.maxTexture2D[1])                      \
    X(MaxTexture3DWidth, 24, p.maxTexture3D[0])                       \
    X(MaxTexture3DHeight, 25, p.maxTexture3D[1])                      \
    X(MaxTexture3DDepth, 26, p.maxTexture3D[2])                       \
    X(MaxTexture2DLayeredWidth, 27, p.maxTexture2DLayered[0])         \
    X(MaxTexture2DLayeredHeight, 28, p.maxTexture2DLayered[1])        \
    X(MaxTexture2DLayeredLayers, 29, p.maxTexture2DLayered[2])        \
    X(SurfaceAlignment, 30, (int)p.surfaceAlignment)                  \
    X(ConcurrentKernels, 31, p.concurrentKernels)                     \
    X(EccEnabled, 32, p.ECCEnabled)                                   \
    X(PciBusId, 33, p.pciBusID)                                       \
    X(PciDeviceId, 34, p.pciDeviceID)                                 \
    X(TccDriver, 35, p.tccDriver)                                     \
    X(MemoryClockRate, 36, p.memoryClockRate)                         \
    X(GlobalMemoryBusWidth, 37, p.memoryBusWidth)                     \
    X(L2CacheSize, 38, p.l2CacheSize)                                 \
    X(MaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor) \
    X(AsyncEngineCount, 40, p.asyncEngineCount)                       \
    X(UnifiedAddressing, 41, p.unifiedAddressing)                     \
    X(MaxTexture1DLayeredWidth, 42, p.maxTexture1DLayered[0])         \
    X(MaxTexture1DLayeredLayers, 43, p.maxTexture1DLayered[1])        \
    X(PciDomainId, 50, p.pciDomainID)                                 \
    LOOM_MORE_ATTRIBUTES(X)

/* define the attributes */
#define LOOM_ATTRIBUTE(name, number, value) cudaDevAttr##name = number,
enum cudaDeviceAttr { LOOM_ATTRIBUTES(LOOM_ATTRIBUTE) };

/* define the device's properties */
struct cudaDeviceProp {
    char name[256];
    struct {
        char bytes[16];
    } uuid;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2];
    int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3];
    int maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID;
    int tccDriver, asyncEngineCount, unifiedAddressing, memoryBusWidth;
    int l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard;
    int multiGpuBoardGroupID, hostNativeAtomicSupported;
    int pageableMemoryAccess, concurrentManagedAccess;
    int computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, memoryPoolsSupported, clusterLaunch;
    /* as before CUDA 13: */
    int clockRate, memoryClockRate, computeMode, deviceOverlap;
    int kernelExecTimeoutEnabled, singleToDoublePrecisionPerfRatio;
    int cooperativeMultiDeviceLaunch, maxTexture1DLinear;
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
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};

/* define the types of copies */
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
#include "loom/runtime_types.h"

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
cudaError_t cudaFreeAsync(void *p, cudaStream_t s LOOM_OR(0));
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
/* Starts the kernel if its sizes are allowed. What goes wrong is returned by
   later calls, as CUDA does. */
cudaError_t loom_start(const struct loom_launch *l, cudaStream_t stream);

/* Starts the kernel with this address with values of *args[0] ... */
cudaError_t loom_start_call(struct loom_launch *l, const void *kernel,
                            void **args, cudaStream_t stream);

/* cudaFuncSetAttribute and cudaFuncGetAttributes for the kernel with this
   address, and how many blocks fit into a multiprocessor. */
cudaError_t loom_set_attribute(const void *kernel,
                               enum cudaFuncAttribute attribute, int value);
cudaError_t loom_get_attributes(struct cudaFuncAttributes *a,
                                const void *kernel);
cudaError_t loom_occupancy(int *blocks, int threads, size_t shared);

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
/* Has the stream do run(a copy of the args) when its turn comes, or, while it
   is recorded, whenever the graph is launched. */
cudaError_t loom_enqueue(cudaStream_t s, void (*run)(void *args),
                         const void *args, size_t bytes);
/* Returns when the stream has done what it holds. */
void loom_finish(cudaStream_t s);

/* Whether the count bytes at p are not where they should be, which is then
   reported with the call and the role of p in it. Between loom_open and
   loom_done. */
int loom_blamed(const char *call, const char *role, const void *p, size_t count,
                int on_device);

/* 90 for 9.0; a program may define it otherwise. */
extern int loom_capability;

/* The count bytes at p have been written by a call. */
void loom_written(const void *p, size_t count);

#ifdef __cplusplus
}
#endif
#include "loom/array.h"
#include "loom/calls.h"
#include "loom/graph.h"
#endif

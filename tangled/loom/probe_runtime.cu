/* probe_runtime.cu: calls of the runtime that the book's programs do not need:
   each family alone, or all. Usage: probe_runtime [family] */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_profiler_api.h>
#include <initializer_list>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ask */
namespace cg = cooperative_groups;

static void must(int holds, int line)
{
    if (!holds) {
        fprintf(stderr, "probe_runtime.cu:%d: this does not hold\n", line);
        exit(1);
    }
}
#define MUST(...) must((__VA_ARGS__), __LINE__)
#define OK(...) must((__VA_ARGS__) == cudaSuccess, __LINE__)

static void all(cudaError_t want, std::initializer_list<cudaError_t> got,
                int line)
{
    int n = 0;

    for (cudaError_t e : got)
        if (n++, e != want) {
            fprintf(stderr, "call %d gives %s\n", n, cudaGetErrorName(e));
            must(0, line);
        }
}
#define ALL(want, ...) all(want, {__VA_ARGS__}, __LINE__)

__global__ void add_one(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i]++;
}

/* ask about numbers */
static void the_device(void)
{
    char id[13] = "";
    int device = 7, can = 7;

    OK(cudaCtxResetPersistingL2Cache());
    OK(cudaProfilerStart());
    OK(cudaProfilerStop());
    OK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    MUST(strlen(id) == 12);
    OK(cudaDeviceGetByPCIBusId(&device, id));
    MUST(device == 0);
    MUST(cudaDeviceGetPCIBusId(id, 12, 0) == cudaErrorInvalidValue);
    MUST(cudaDeviceGetPCIBusId(NULL, 13, 0) == cudaErrorInvalidValue);
    MUST(cudaDeviceGetPCIBusId(id, 13, 1) == cudaErrorInvalidDevice);
    MUST(cudaDeviceGetByPCIBusId(NULL, id) == cudaErrorInvalidValue);
    MUST(cudaDeviceGetByPCIBusId(&device, NULL) == cudaErrorInvalidValue);
    MUST(cudaDeviceGetByPCIBusId(&device, "ffff:ff:1f.0") != cudaSuccess);
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    MUST(can == 0);
    MUST(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
    MUST(cudaDeviceCanAccessPeer(&can, 1, 0) == cudaErrorInvalidDevice);
    MUST(cudaDeviceCanAccessPeer(NULL, 0, 0) != cudaSuccess);
    MUST(cudaDeviceDisablePeerAccess(0) != cudaSuccess);
    MUST(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
    MUST(cudaGetLastError() == cudaErrorInvalidDevice);
}
#ifdef __LOOM__ /* CUDA 13 has lost some properties */
static void has(int number, cudaDeviceAttr a, size_t property, int most,
                int line)
{
    int v = -7;

    must(cudaDeviceGetAttribute(&v, a, 0) == cudaSuccess, line);
    must(a == number && (size_t)v == property && (most < 0 || v == most), line);
}
#define HAS(number, name, property, most) \
    has(number, cudaDevAttr##name, (size_t)(property), most, __LINE__)
static void has_limits(void)
{
    cudaDeviceProp p;

    OK(cudaGetDeviceProperties(&p, 0));
    HAS(1, MaxThreadsPerBlock, p.maxThreadsPerBlock, 1024);
    HAS(2, MaxBlockDimX, p.maxThreadsDim[0], 1024);
    HAS(3, MaxBlockDimY, p.maxThreadsDim[1], 1024);
    HAS(4, MaxBlockDimZ, p.maxThreadsDim[2], 64);
    HAS(5, MaxGridDimX, p.maxGridSize[0], 0x7fffffff);
    HAS(6, MaxGridDimY, p.maxGridSize[1], 65535);
    HAS(7, MaxGridDimZ, p.maxGridSize[2], 65535);
    HAS(8, MaxSharedMemoryPerBlock, p.sharedMemPerBlock, 49152);
    HAS(9, TotalConstantMemory, p.totalConstMem, 65536);
    HAS(10, WarpSize, p.warpSize, 32);
    HAS(11, MaxPitch, p.memPitch, 0x7fffffff);
    HAS(12, MaxRegistersPerBlock, p.regsPerBlock, 65536);
    HAS(13, ClockRate, p.clockRate, 1000000);
    HAS(14, TextureAlignment, p.textureAlignment, 512);
    HAS(15, GpuOverlap, p.deviceOverlap, 1);
    HAS(16, MultiProcessorCount, p.multiProcessorCount, -1);
    HAS(17, KernelExecTimeout, p.kernelExecTimeoutEnabled, 0);
    HAS(18, Integrated, p.integrated, 1);
    HAS(19, CanMapHostMemory, p.canMapHostMemory, 1);
    HAS(20, ComputeMode, p.computeMode, 0);
    HAS(21, MaxTexture1DWidth, p.maxTexture1D, 131072);
    HAS(22, MaxTexture2DWidth, p.maxTexture2D[0], 131072);
    HAS(23, MaxTexture2DHeight, p.maxTexture2D[1], 65536);
    HAS(24, MaxTexture3DWidth, p.maxTexture3D[0], 16384);
    HAS(25, MaxTexture3DHeight, p.maxTexture3D[1], 16384);
    HAS(26, MaxTexture3DDepth, p.maxTexture3D[2], 16384);
    HAS(27, MaxTexture2DLayeredWidth, p.maxTexture2DLayered[0], 32768);
    HAS(28, MaxTexture2DLayeredHeight, p.maxTexture2DLayered[1], 32768);
    HAS(29, MaxTexture2DLayeredLayers, p.maxTexture2DLayered[2], 2048);
    HAS(30, SurfaceAlignment, p.surfaceAlignment, 512);
    HAS(31, ConcurrentKernels, p.concurrentKernels, 1);
    HAS(32, EccEnabled, p.ECCEnabled, 0);
    HAS(33, PciBusId, p.pciBusID, 0);
    HAS(34, PciDeviceId, p.pciDeviceID, 0);
    HAS(35, TccDriver, p.tccDriver, 0);
    HAS(36, MemoryClockRate, p.memoryClockRate, 1000000);
    HAS(37, GlobalMemoryBusWidth, p.memoryBusWidth, 0);
    HAS(38, L2CacheSize, p.l2CacheSize, -1);
    HAS(39, MaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor, 2048);
    HAS(40, AsyncEngineCount, p.asyncEngineCount, 1);
    HAS(41, UnifiedAddressing, p.unifiedAddressing, 1);
    HAS(42, MaxTexture1DLayeredWidth, p.maxTexture1DLayered[0], 32768);
    HAS(43, MaxTexture1DLayeredLayers, p.maxTexture1DLayered[1], 2048);
    HAS(50, PciDomainId, p.pciDomainID, 0);
}
static void has_more(void)
{
    cudaDeviceProp p;
    int v;

    OK(cudaGetDeviceProperties(&p, 0));
    HAS(51, TexturePitchAlignment, p.texturePitchAlignment, 32);
    HAS(52, MaxTextureCubemapWidth, p.maxTextureCubemap, 32768);
    HAS(55, MaxSurface1DWidth, p.maxSurface1D, 131072);
    HAS(56, MaxSurface2DWidth, p.maxSurface2D[0], 131072);
    HAS(57, MaxSurface2DHeight, p.maxSurface2D[1], 65536);
    HAS(69, MaxTexture1DLinearWidth, p.maxTexture1DLinear, 1 << 28);
    HAS(70, MaxTexture2DLinearWidth, p.maxTexture2DLinear[0], 131072);
    HAS(71, MaxTexture2DLinearHeight, p.maxTexture2DLinear[1], 65000);
    HAS(72, MaxTexture2DLinearPitch, p.maxTexture2DLinear[2], 2097120);
    HAS(75, ComputeCapabilityMajor, p.major, -1);
    HAS(76, ComputeCapabilityMinor, p.minor, -1);
    HAS(78, StreamPrioritiesSupported, p.streamPrioritiesSupported, 1);
    HAS(79, GlobalL1CacheSupported, p.globalL1CacheSupported, 0);
    HAS(80, LocalL1CacheSupported, p.localL1CacheSupported, 0);
    HAS(81, MaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor,
        233472);
    HAS(82, MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor, 65536);
    HAS(83, ManagedMemory, p.managedMemory, 1);
    HAS(84, IsMultiGpuBoard, p.isMultiGpuBoard, 0);
    HAS(85, MultiGpuBoardGroupID, p.multiGpuBoardGroupID, 0);
    HAS(86, HostNativeAtomicSupported, p.hostNativeAtomicSupported, 1);
    HAS(87, SingleToDoublePrecisionPerfRatio,
        p.singleToDoublePrecisionPerfRatio, 2);
    HAS(88, PageableMemoryAccess, p.pageableMemoryAccess, 0);
    HAS(89, ConcurrentManagedAccess, p.concurrentManagedAccess, 1);
    HAS(90, ComputePreemptionSupported, p.computePreemptionSupported, 1);
    HAS(91, CanUseHostPointerForRegisteredMem,
        p.canUseHostPointerForRegisteredMem, 1);
    HAS(95, CooperativeLaunch, p.cooperativeLaunch, 1);
    HAS(97, MaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin, 232448);
    HAS(99, HostRegisterSupported, p.hostRegisterSupported, 1);
    HAS(100, PageableMemoryAccessUsesHostPageTables,
        p.pageableMemoryAccessUsesHostPageTables, 0);
    HAS(101, DirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost,
        1);
    HAS(106, MaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor, 32);
    HAS(108, MaxPersistingL2CacheSize, p.persistingL2CacheMaxSize, -1);
    HAS(109, MaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize, 1 << 27);
    HAS(111, ReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock, 1024);
    HAS(115, MemoryPoolsSupported, p.memoryPoolsSupported, 1);
    HAS(120, ClusterLaunch, p.clusterLaunch, -1);
    HAS(98, CanFlushRemoteWrites, 0, 0);
    HAS(112, SparseCudaArraySupported, 0, 0);
    HAS(113, HostRegisterReadOnlySupported, 1, 1);
    HAS(114, TimelineSemaphoreInteropSupported, 0, 0);
    HAS(116, GPUDirectRDMASupported, 0, 0);
    HAS(119, MemoryPoolSupportedHandleTypes, 0, 0);
    HAS(121, DeferredMappingCudaArraySupported, 0, 0);
    HAS(125, IpcEventSupport, 0, 0);
    /* refuse what is no attribute */
    ALL(cudaErrorInvalidValue, cudaGetDeviceProperties(NULL, 0),
        cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0),
        cudaDeviceGetAttribute(&v, (cudaDeviceAttr)0, 0),
        cudaDeviceGetAttribute(&v, (cudaDeviceAttr)999, 0));
    ALL(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 1),
        cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 1), cudaSetDevice(1),
        cudaSetDevice(-1));
    cudaGetLastError();
}
#endif
static void keep_settings(void)
{
    size_t old[7], now;
    unsigned flags, kept = 0;
    cudaFuncCache config;

    for (int i = 0; i < 7; i++)
        OK(cudaDeviceGetLimit(&old[i], (cudaLimit)i));
    MUST(old[cudaLimitStackSize] == 1024 &&
         old[cudaLimitPrintfFifoSize] == 1 << 20 &&
         old[cudaLimitMallocHeapSize] == 8 << 20);
    for (int i = 0; i < 7; i++)
        OK(cudaDeviceSetLimit((cudaLimit)i, 5000 + i));
    for (int i = 0; i < 7; i++) {
        OK(cudaDeviceGetLimit(&now, (cudaLimit)i));
        MUST(now == (size_t)5000 + i);
        OK(cudaDeviceSetLimit((cudaLimit)i, old[i]));
    }
    for (unsigned i = 0, bit; i < 32; i++) {
        bit = 1u << i; /* how to wait, memory that is mapped, ... */
        MUST(cudaSetDeviceFlags(bit) ==
             (bit & 0x9f ? cudaSuccess : cudaErrorInvalidValue));
        OK(cudaGetDeviceFlags(&flags));
        kept = bit & 0x9f ? bit : kept;
        MUST(flags == (kept | cudaDeviceMapHost));
    }
    OK(cudaSetDeviceFlags(0));
    for (int i = 3; i >= 0; i--) {
        OK(cudaDeviceSetCacheConfig((cudaFuncCache)i));
        OK(cudaDeviceGetCacheConfig(&config));
        MUST(config == i);
    }
}
static void refuse_settings(void)
{
    cudaDeviceProp p = {};
    int v = 7, list[] = {0, 1};
    size_t n;

    keep_settings();
    OK(cudaChooseDevice(&v, &p));
    MUST(v == 0);
    ALL(cudaSuccess, cudaInitDevice(0, 0, 0), cudaSetValidDevices(NULL, 0),
        cudaSetValidDevices(list, 2),
        cudaDeviceGetStreamPriorityRange(NULL, NULL));
    ALL(cudaErrorInvalidDevice, cudaInitDevice(1, 0, 0),
        cudaSetValidDevices(list + 1, 1));
    ALL(cudaErrorUnsupportedLimit, cudaDeviceSetLimit((cudaLimit)7, 1),
        cudaDeviceGetLimit(&n, (cudaLimit)7),
        cudaDeviceGetLimit(&n, (cudaLimit)-1));
    ALL(cudaErrorInvalidValue, cudaDeviceGetLimit(NULL, cudaLimitStackSize),
        cudaDeviceGetLimit(NULL, (cudaLimit)7), cudaGetDeviceFlags(NULL),
        cudaSetValidDevices(NULL, 1), cudaSetValidDevices(list, -1),
        cudaChooseDevice(NULL, &p), cudaChooseDevice(&v, NULL),
        cudaDeviceSetCacheConfig((cudaFuncCache)4),
        cudaDeviceGetCacheConfig(NULL), cudaGetDeviceCount(NULL),
        cudaGetDevice(NULL), cudaRuntimeGetVersion(NULL),
        cudaDriverGetVersion(NULL),
        cudaOccupancyAvailableDynamicSMemPerBlock(NULL, add_one, 1, 32),
        cudaOccupancyAvailableDynamicSMemPerBlock(&n, add_one, 0, 32),
        cudaOccupancyAvailableDynamicSMemPerBlock(&n, add_one, 1, 0),
        cudaOccupancyAvailableDynamicSMemPerBlock(&n, add_one, 1, 1025),
        cudaOccupancyMaxPotentialBlockSize(NULL, &v, add_one),
        cudaOccupancyMaxPotentialBlockSize(&v, NULL, add_one),
        cudaOccupancyMaxPotentialBlockSize(&v, &v, add_one, 0, -1));
    cudaGetLastError();
}
static void numbers(void)
{
    int least, greatest, priority, grid, block, v;
    size_t bytes;
    cudaStream_t s;

    the_device();
#ifdef __LOOM__
    has_limits();
    has_more();
#endif
    refuse_settings();
    OK(cudaDriverGetVersion(&v));
    MUST(v == 13000);
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 12345));
    OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    MUST(bytes == 12345);
    MUST(cudaDeviceSetLimit((cudaLimit)99, 1) == cudaErrorUnsupportedLimit);
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    MUST(greatest < least);
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest - 3));
    OK(cudaStreamGetPriority(s, &priority));
    MUST(priority == greatest); /* clamped */
    OK(cudaStreamDestroy(s));
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one, 0, 0));
    MUST(block == 1024 && grid % 2 == 0);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one, 100 << 10,
                                          96));
    MUST(block == 96); /* no more than 96 */
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add_one, 4, 128));
    MUST(bytes >= (55 << 10) && bytes <= (57 << 10));
    OK(cudaDeviceGetAttribute(&v, cudaDevAttrComputeMode, 0));
    MUST(v == cudaComputeModeDefault);
}

/* ask about the host */
static int order[4], calls;

static void attributes(cudaStream_t s, cudaStream_t other, cudaStream_t none)
{
    const auto sync = cudaStreamAttributeSynchronizationPolicy;
    const auto priority = cudaStreamAttributePriority;
    cudaStreamAttrValue v = {}, w = {};
    int answer = 7;

    v.syncPolicy = cudaSyncPolicyYield;
    OK(cudaStreamSetAttribute(s, sync, &v));
    v.priority = -2;
    OK(cudaStreamSetAttribute(s, priority, &v));
    OK(cudaStreamGetPriority(s, &answer));
    MUST(answer == -2);
    OK(cudaStreamGetAttribute(s, sync, &w));
    MUST(w.syncPolicy == cudaSyncPolicyYield);
    OK(cudaStreamGetAttribute(other, sync, &w));
    MUST(w.syncPolicy != cudaSyncPolicyYield);
    OK(cudaStreamCopyAttributes(other, s));
    OK(cudaStreamGetAttribute(other, sync, &w));
    MUST(w.syncPolicy == cudaSyncPolicyYield);
    OK(cudaStreamGetAttribute(other, priority, &w));
    MUST(w.priority == -2);
    MUST(cudaStreamSetAttribute(s, (cudaStreamAttrID)99, &v) ==
         cudaErrorInvalidValue);
    MUST(cudaStreamGetAttribute(s, (cudaStreamAttrID)99, &v) ==
         cudaErrorInvalidValue);
    MUST(cudaStreamSetAttribute(s, sync, NULL) == cudaErrorInvalidValue);
    MUST(cudaStreamGetAttribute(s, sync, NULL) == cudaErrorInvalidValue);
    MUST(cudaStreamSetAttribute(none, sync, &v) ==
         cudaErrorInvalidResourceHandle);
    MUST(cudaStreamGetAttribute(none, sync, &v) ==
         cudaErrorInvalidResourceHandle);
    MUST(cudaStreamCopyAttributes(none, s) == cudaErrorInvalidResourceHandle);
    MUST(cudaStreamCopyAttributes(s, none) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}
static void attach(cudaStream_t s, cudaStream_t none)
{
    const cudaMemLocation at = {cudaMemLocationTypeDevice, 0};
    int *x, *y;

    OK(cudaMallocManaged(&x, 8));
    OK(cudaMalloc(&y, 8));
    OK(cudaStreamAttachMemAsync(s, x));
    for (unsigned how : {cudaMemAttachGlobal, cudaMemAttachHost})
        OK(cudaStreamAttachMemAsync(s, x, 8, how));
    MUST(cudaStreamAttachMemAsync(s, x, 8, 3) == cudaErrorInvalidValue);
    MUST(cudaStreamAttachMemAsync(s, y) == cudaErrorInvalidValue);
    MUST(cudaStreamAttachMemAsync(s, &calls) == cudaErrorInvalidValue);
    MUST(cudaStreamAttachMemAsync(none, x) == cudaErrorInvalidResourceHandle);
    for (int i = cudaMemAdviseSetReadMostly; i <= cudaMemAdviseUnsetAccessedBy;
         i++)
        OK(cudaMemAdvise(x, 8, (cudaMemoryAdvise)i, at));
    for (int i :
         {cudaMemAdviseSetReadMostly - 1, cudaMemAdviseUnsetAccessedBy + 1})
        MUST(cudaMemAdvise(x, 8, (cudaMemoryAdvise)i, at) ==
             cudaErrorInvalidValue);
    MUST(cudaMemAdvise(x, 0, cudaMemAdviseSetReadMostly, at) ==
         cudaErrorInvalidValue);
    MUST(cudaMemAdvise(y, 8, cudaMemAdviseSetReadMostly, at) ==
         cudaErrorInvalidValue);
    OK(cudaFree(x));
    MUST(cudaStreamAttachMemAsync(s, x) == cudaErrorInvalidValue);
    OK(cudaFree(y));
    cudaGetLastError();
}

static void record(cudaStream_t s, cudaEvent_t e)
{
    float ms;

    MUST(cudaEventRecordWithFlags(e, s, 2) == cudaErrorInvalidValue);
    MUST(cudaEventElapsedTime(&ms, e, e) == cudaErrorInvalidResourceHandle);
    OK(cudaEventRecordWithFlags(e, s, cudaEventRecordDefault));
    OK(cudaEventSynchronize(e));
    OK(cudaEventElapsedTime(&ms, e, e));
    cudaGetLastError();
}
static void peers(cudaStream_t s)
{
    const int from[] = {3, 4};
    int *x, *y, to[2];

    OK(cudaMalloc(&x, 8));
    OK(cudaMalloc(&y, 8));
    OK(cudaMemcpy(x, from, 8, cudaMemcpyHostToDevice));
    OK(cudaMemset(y, 0, 8));
    MUST(cudaMemcpyPeer(y, 1, x, 0, 8) == cudaErrorInvalidDevice);
    MUST(cudaMemcpyPeer(y, 0, x, 1, 8) == cudaErrorInvalidDevice);
    OK(cudaMemcpyPeer(y, 0, x + 1, 0, 4));
    OK(cudaMemcpy(to, y, 8, cudaMemcpyDeviceToHost));
    MUST(to[0] == 4 && to[1] == 0);
    OK(cudaMemcpyPeerAsync(y + 1, 0, x, 0, 4, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(to, y, 8, cudaMemcpyDeviceToHost));
    MUST(to[0] == 4 && to[1] == 3);
    OK(cudaFree(x));
    OK(cudaFree(y));
    cudaGetLastError();
}
static void ask_streams(cudaStream_t none)
{
    const cudaStreamCallback_t no_one = [](cudaStream_t, cudaError_t, void *) {
    };
    const int wish[] = {3, 0, -2, -5, -9}, gets[] = {0, 0, -2, -5, -5};
    int least, greatest, v;
    unsigned flags;
    unsigned long long id, other;
    cudaStream_t s;
    cudaStreamAttrValue a = {};

    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    MUST(least == 0 && greatest == -5);
    OK(cudaStreamGetId(0, &other));
    for (int i = 0; i < 5; i++) {
        OK(cudaStreamCreateWithPriority(&s, i % 2, wish[i]));
        OK(cudaStreamGetPriority(s, &v));
        OK(cudaStreamGetFlags(s, &flags));
        OK(cudaStreamGetId(s, &id));
        MUST(v == gets[i] && flags == (unsigned)i % 2 && id != other);
        OK(cudaStreamGetDevice(s, &v));
        MUST(v == 0);
        ALL(cudaErrorInvalidValue,
            cudaStreamGetAttribute(s, (cudaStreamAttrID)16, &a),
            cudaStreamSetAttribute(s, (cudaStreamAttrID)2, &a),
            cudaStreamAddCallback(s, NULL, NULL, 0),
            cudaStreamAddCallback(s, no_one, &v, 1));
        OK(cudaStreamDestroy(s));
    }
    OK(cudaStreamGetPriority(0, &v));
    OK(cudaStreamGetFlags(0, &flags));
    MUST(v == 0 && flags == 0);
    ALL(cudaErrorInvalidValue, cudaStreamGetPriority(0, NULL),
        cudaStreamGetFlags(0, NULL), cudaStreamGetId(0, NULL),
        cudaStreamGetDevice(0, NULL));
    ALL(cudaErrorInvalidResourceHandle, cudaStreamGetPriority(none, &v),
        cudaStreamGetFlags(none, &flags), cudaStreamGetId(none, &id),
        cudaStreamGetDevice(none, &v),
        cudaStreamAddCallback(none, no_one, &v, 0), cudaFreeAsync(&v, none));
    cudaGetLastError();
}
static void is_memory(char *p, size_t bytes, cudaMemoryType type)
{
    cudaPointerAttributes a;

    for (size_t i : {(size_t)0, bytes - 1}) {
        OK(cudaPointerGetAttributes(&a, p + i));
        MUST(a.type == type);
        MUST(a.device == (type == cudaMemoryTypeUnregistered ? -2 : 0));
        MUST(a.devicePointer ==
             (type == cudaMemoryTypeUnregistered ? NULL : p + i));
        MUST(a.hostPointer == (type == cudaMemoryTypeDevice ? NULL : p + i));
    }
}
static void ask_memory(void)
{
    static char words[300];
    char *device, *managed, *pinned;
    unsigned flags;
    void *x;

    OK(cudaMalloc(&device, 100));
    OK(cudaMallocManaged(&managed, 100));
    OK(cudaMallocHost(&pinned, 100));
    OK(cudaHostRegister(words + 100, 100, cudaHostRegisterPortable));
    ALL(cudaErrorHostMemoryAlreadyRegistered,
        cudaHostRegister(words + 99, 2, 0), cudaHostRegister(words + 199, 2, 0),
        cudaHostRegister(words, 300, 0));
    OK(cudaHostRegister(words + 200, 1, 15)); /* its neighbor */
    is_memory(device, 100, cudaMemoryTypeDevice);
    is_memory(managed, 100, cudaMemoryTypeManaged);
    is_memory(pinned, 100, cudaMemoryTypeHost);
    is_memory(words + 100, 101, cudaMemoryTypeHost);
    is_memory(words, 100, cudaMemoryTypeUnregistered);
    is_memory(words + 201, 99, cudaMemoryTypeUnregistered);
    is_memory(device + 100, 1, cudaMemoryTypeUnregistered);
    OK(cudaHostGetFlags(&flags, words + 199));
    MUST(flags == cudaHostRegisterPortable);
    OK(cudaHostGetFlags(&flags, words + 200));
    MUST(flags == 15);
    OK(cudaHostGetFlags(&flags, pinned + 99));
    MUST(flags & cudaHostAllocMapped);
    OK(cudaHostGetDevicePointer(&x, pinned + 7, 0));
    MUST(x == pinned + 7);
    ALL(cudaErrorInvalidValue, cudaHostRegister(NULL, 4, 0),
        cudaHostRegister(words, 0, 0), cudaHostRegister(words, 4, 16),
        cudaHostUnregister(NULL), cudaHostGetFlags(NULL, pinned),
        cudaHostGetFlags(&flags, words), cudaHostGetFlags(&flags, managed),
        cudaHostGetFlags(&flags, device), cudaPointerGetAttributes(NULL, words),
        cudaHostGetDevicePointer((void **)NULL, pinned, 0),
        cudaHostGetDevicePointer(&x, pinned, 1),
        cudaHostGetDevicePointer(&x, device, 0),
        cudaHostGetDevicePointer(&x, words + 201, 0));
    ALL(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(words),
        cudaHostUnregister(words + 101));
    ALL(cudaSuccess, cudaHostUnregister(words + 200),
        cudaHostUnregister(words + 100), cudaFree(device), cudaFree(managed),
        cudaFreeHost(pinned));
    cudaGetLastError();
}
static void tell_streams(void)
{
    cudaStream_t s, other;
    cudaEvent_t e;

    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&other));
    OK(cudaEventCreate(&e));
    attributes(s, other, (cudaStream_t)e);
    attach(s, (cudaStream_t)e);
    record(s, e);
    peers(s);
    ask_streams((cudaStream_t)e);
    ask_memory();
    OK(cudaEventDestroy(e));
    OK(cudaStreamDestroy(other));
    OK(cudaStreamDestroy(s));
}
static void CUDART_CB note(void *data)
{
    order[calls++] = *(int *)data;
}

static void CUDART_CB note_callback(cudaStream_t, cudaError_t e, void *data)
{
    MUST(e == cudaSuccess);
    order[calls++] = *(int *)data;
}

static void host(void)
{
    int one = 1, two = 2, *x, *mapped;
    static int memory[64];
    cudaStream_t s;
    cudaPointerAttributes a;

    OK(cudaStreamCreate(&s));
    OK(cudaLaunchHostFunc(s, note, &one));
    OK(cudaStreamAddCallback(s, note_callback, &two, 0));
    OK(cudaStreamSynchronize(s));
    MUST(calls == 2 && order[0] == 1 && order[1] == 2);
    MUST(cudaHostGetDevicePointer(&x, memory, 0) != cudaSuccess);
    OK(cudaHostRegister(memory, sizeof memory, cudaHostRegisterMapped));
    MUST(cudaHostRegister(memory + 5, 4, 0) ==
         cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaHostGetDevicePointer(&x, memory, 0));
    add_one<<<1, 64>>>(x, 64);
    OK(cudaDeviceSynchronize());
    MUST(memory[63] == 1);
    OK(cudaHostUnregister(memory));
    MUST(cudaHostUnregister(memory) == cudaErrorHostMemoryNotRegistered);
    OK(cudaHostAlloc(&mapped, 4, cudaHostAllocMapped));
    OK(cudaPointerGetAttributes(&a, mapped));
    MUST(a.type == cudaMemoryTypeHost && a.devicePointer == mapped);
    OK(cudaFreeHost(mapped));
    OK(cudaStreamDestroy(s));
    cudaGetLastError();
    tell_streams();
}

/* ask about pools */
static unsigned long long pool_has(cudaMemPool_t pool, cudaMemPoolAttr a)
{
    unsigned long long n = 0; /* the first ones are ints */

    OK(cudaMemPoolGetAttribute(pool, a, &n));
    return n;
}

static void set_pool(cudaMemPool_t pool)
{
    const cudaMemPoolAttr reuse[] = {cudaMemPoolReuseFollowEventDependencies,
                                     cudaMemPoolReuseAllowOpportunistic,
                                     cudaMemPoolReuseAllowInternalDependencies};
    const cudaMemPoolAttr high[] = {cudaMemPoolAttrReservedMemHigh,
                                    cudaMemPoolAttrUsedMemHigh};
    const cudaMemPoolAttr now[] = {cudaMemPoolAttrReservedMemCurrent,
                                   cudaMemPoolAttrUsedMemCurrent};
    unsigned long long zero = 0, one = 1, keep = 1ull << 33;
    int off = 0;

    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    MUST(pool_has(pool, cudaMemPoolAttrReleaseThreshold) == keep);
    for (int i = 0; i < 3; i++) {
        MUST(pool_has(pool, reuse[i]) == 1); /* as it begins */
        OK(cudaMemPoolSetAttribute(pool, reuse[i], &off));
        for (int k = 0; k < 3; k++)
            MUST(pool_has(pool, reuse[k]) == (k > i));
    }
    MUST(pool_has(pool, high[0]) == 700 && pool_has(pool, high[1]) == 700);
    MUST(pool_has(pool, now[0]) == 700 && pool_has(pool, now[1]) == 300);
    for (int i = 0; i < 2; i++) {
        ALL(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, high[i], &one),
            cudaMemPoolSetAttribute(pool, now[i], &zero),
            cudaMemPoolSetAttribute(pool, high[i], NULL),
            cudaMemPoolGetAttribute(pool, now[i], NULL));
        OK(cudaMemPoolSetAttribute(pool, high[i], &zero));
        MUST(pool_has(pool, high[i]) == (i ? 300 : 700));
    }
    OK(cudaMemPoolTrimTo(pool, 500));
    MUST(pool_has(pool, now[0]) == 500 && pool_has(pool, now[1]) == 300);
    OK(cudaMemPoolTrimTo(pool, 600)); /* more than there is */
    MUST(pool_has(pool, now[0]) == 500);
    OK(cudaMemPoolTrimTo(pool, 100)); /* less than is used */
    MUST(pool_has(pool, now[0]) == 300 && pool_has(pool, high[0]) == 700);
}
static void refuse_pools(cudaMemPool_t first, cudaMemPool_t gone)
{
    const auto how = cudaMemPoolAttrReleaseThreshold;
    const auto both = cudaMemAccessFlagsProtReadWrite;
    cudaMemPoolProps props = {}, elsewhere = {};
    cudaMemAccessDesc list[] = {{{cudaMemLocationTypeDevice, 0}, both},
                                {{cudaMemLocationTypeDevice, 1}, both},
                                {{cudaMemLocationTypeHost, 0}, both}};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    cudaMemPool_t pool;
    unsigned long long n = 0;
    int *x;

    elsewhere.allocType = cudaMemAllocationTypePinned;
    elsewhere.location = list[1].location;
    OK(cudaMemPoolSetAccess(first, list, 1));
    OK(cudaMemPoolGetAccess(&flags, first, &list[0].location));
    MUST(flags == both);
    OK(cudaDeviceGetMemPool(&pool, 0));
    MUST(pool == first);
    ALL(cudaErrorInvalidDevice, cudaMemPoolCreate(&pool, &elsewhere),
        cudaMemPoolSetAccess(first, list, 2),
        cudaMemPoolSetAccess(first, list + 2, 1),
        cudaDeviceGetDefaultMemPool(&pool, 1), cudaDeviceGetMemPool(&pool, 1),
        cudaDeviceSetMemPool(1, first));
    ALL(cudaErrorInvalidValue, cudaMemPoolCreate(NULL, &elsewhere),
        cudaMemPoolCreate(&pool, NULL), cudaMemPoolCreate(&pool, &props),
        cudaMemPoolDestroy(NULL), cudaMemPoolDestroy(first),
        cudaMemPoolDestroy(gone), cudaMemPoolTrimTo(NULL, 0),
        cudaMemPoolTrimTo(gone, 0), cudaMemPoolSetAttribute(gone, how, &n),
        cudaMemPoolGetAttribute(gone, how, &n),
        cudaMemPoolSetAttribute(first, (cudaMemPoolAttr)0, &n),
        cudaMemPoolGetAttribute(first, (cudaMemPoolAttr)9, &n),
        cudaMemPoolSetAccess(gone, list, 1),
        cudaMemPoolGetAccess(NULL, first, &list[0].location),
        cudaMemPoolGetAccess(&flags, gone, &list[0].location),
        cudaMemPoolGetAccess(&flags, first, NULL),
        cudaMemPoolGetAccess(&flags, first, &list[1].location),
        cudaDeviceGetDefaultMemPool(NULL, 0), cudaDeviceGetMemPool(NULL, 0),
        cudaDeviceSetMemPool(0, NULL), cudaDeviceSetMemPool(0, gone),
        cudaMallocFromPoolAsync(&x, 4, gone, 0),
        cudaMallocAsync((int **)NULL, 4, 0));
    cudaGetLastError();
}
static void pools(void)
{
    cudaMemPool_t pool, mine;
    cudaMemPoolProps props = {};
    unsigned long long used, keep = 1 << 20;
    int *x, *y, host = 0;

    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMallocAsync(&x, 1000, 0));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    MUST(used == 1000);
    OK(cudaMemsetAsync(x, 0, 4, 0));
    add_one<<<1, 1>>>(x, 1);
    OK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
    MUST(host == 1);
    OK(cudaFreeAsync(x, 0));
    OK(cudaStreamSynchronize(0));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    MUST(used == 0);
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used));
    MUST(used == 1000);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    OK(cudaMemPoolCreate(&mine, &props));
    OK(cudaMemPoolSetAttribute(mine, cudaMemPoolAttrReleaseThreshold, &keep));
    OK(cudaMallocFromPoolAsync(&x, 500, mine, 0));
    OK(cudaFreeAsync(x, 0));
    OK(cudaStreamSynchronize(0));
    OK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrReservedMemCurrent, &used));
    MUST(used == 500); /* below the threshold it stays */
    OK(cudaMemPoolTrimTo(mine, 0));
    OK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrReservedMemCurrent, &used));
    MUST(used == 0);
    OK(cudaDeviceSetMemPool(0, mine));
    OK(cudaMallocAsync(&x, 300, 0));
    OK(cudaMallocFromPoolAsync(&y, 400, mine, 0));
    OK(cudaFreeAsync(y, 0));
    OK(cudaStreamSynchronize(0));
    set_pool(mine);
    OK(cudaFreeAsync(x, 0));
    OK(cudaStreamSynchronize(0));
    OK(cudaMemPoolDestroy(mine)); /* and the first is the current one again */
    refuse_pools(pool, mine);
}

/* ask about graphs */
__device__ int symbol[4];

static void copy_symbols(void)
{
    int four[4] = {1, 2, 3, 4}, two[2] = {7, 8};
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t all, to, from;
    unsigned long long flags = 99;

    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemcpyNodeToSymbol(&all, g, NULL, 0, symbol, four, 16, 0,
                                      cudaMemcpyDefault));
    OK(cudaGraphAddMemcpyNodeToSymbol(&to, g, &all, 1, symbol, two, 4, 8,
                                      cudaMemcpyDefault));
    OK(cudaGraphAddMemcpyNodeFromSymbol(&from, g, &to, 1, two, symbol, 8, 4,
                                        cudaMemcpyDefault));
    OK(cudaGraphInstantiate(&exec, g,
                            cudaGraphInstantiateFlagAutoFreeOnLaunch));
    OK(cudaGraphExecGetFlags(exec, &flags));
    MUST(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);
    MUST(cudaGraphExecGetFlags(exec, NULL) == cudaErrorInvalidValue);
    MUST(cudaGraphExecGetFlags(NULL, &flags) == cudaErrorInvalidValue);
    MUST(cudaGraphExecGetFlags((cudaGraphExec_t)g, &flags) ==
         cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    MUST(two[0] == 2 && two[1] == 7);
    OK(cudaMemcpyFromSymbol(four, symbol, 16));
    MUST(four[0] == 1 && four[1] == 2 && four[2] == 7 && four[3] == 4);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
}
static cudaGraphNodeParams fill_with(int value, int *x)
{
    cudaGraphNodeParams p = {};

    p.type = cudaGraphNodeTypeMemset;
    p.memset.dst = x;
    p.memset.value = value;
    p.memset.elementSize = 4;
    p.memset.width = p.memset.height = 1;
    return p;
}

static int launch(cudaGraphExec_t exec, const int *x)
{
    int host = 0;

    OK(cudaGraphLaunch(exec, 0));
    OK(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost));
    return host;
}

static cudaGraphNodeType type_of(cudaGraphNode_t n)
{
    cudaGraphNodeType type;

    OK(cudaGraphNodeGetType(n, &type));
    return type;
}
/* fill is the only node of child, whose copy is the node sub of g. */
static void change_copies(cudaGraph_t child, cudaGraphNode_t fill,
                          cudaGraph_t g, cudaGraphNode_t sub, int *x)
{
    cudaGraph_t clone;
    cudaGraphExec_t exec, alone;
    cudaGraphNode_t found;
    cudaGraphNodeParams p = fill_with(6, x);
    size_t n = 0;

    OK(cudaGraphClone(&clone, g));
    MUST(cudaGraphClone(&clone, NULL) == cudaErrorInvalidValue);
    MUST(cudaGraphClone(NULL, g) == cudaErrorInvalidValue);
    OK(cudaGraphNodeFindInClone(&found, sub, clone));
    MUST(found != sub && type_of(found) == cudaGraphNodeTypeGraph);
    MUST(cudaGraphNodeFindInClone(&found, fill, clone) ==
         cudaErrorInvalidValue);
    MUST(cudaGraphNodeFindInClone(NULL, sub, clone) == cudaErrorInvalidValue);
    MUST(cudaGraphNodeFindInClone(&found, sub, NULL) == cudaErrorInvalidValue);
    OK(cudaGraphNodeFindInClone(&found, sub, clone));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphGetNodes(clone, NULL, &n));
    MUST(n == 3);
    OK(cudaGraphInstantiate(&exec, clone, 0));
    OK(cudaGraphInstantiate(&alone, child, 0));
    OK(cudaGraphNodeSetParams(fill, &p));
    MUST(launch(exec, x) == 5 && launch(alone, x) == 5);
    OK(cudaGraphExecChildGraphNodeSetParams(exec, found, child));
    p.memset.value = 7;
    OK(cudaGraphExecNodeSetParams(alone, fill, &p));
    MUST(launch(exec, x) == 6 && launch(alone, x) == 7);
    MUST(cudaGraphExecChildGraphNodeSetParams(NULL, found, child) ==
         cudaErrorInvalidValue);
    MUST(cudaGraphExecChildGraphNodeSetParams(alone, fill, child) ==
         cudaErrorInvalidValue);
    MUST(cudaGraphExecNodeSetParams(NULL, fill, &p) == cudaErrorInvalidValue);
    MUST(cudaGraphExecNodeSetParams(alone, fill, NULL) ==
         cudaErrorInvalidValue);
    MUST(cudaGraphNodeSetParams(fill, NULL) == cudaErrorInvalidValue);
    MUST(cudaGraphNodeSetParams(NULL, &p) == cudaErrorInvalidValue);
    p.type = cudaGraphNodeTypeMemFree;
    MUST(cudaGraphNodeSetParams(fill, &p) == cudaErrorInvalidValue);
    OK(cudaGraphExecDestroy(alone));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(clone));
}
static void copies(void)
{
    int *x;
    cudaEvent_t e;
    cudaGraph_t child, g, inside;
    cudaGraphNode_t fill, nothing, wait, sub, found;
    size_t n = 1;

    OK(cudaMalloc(&x, 4));
    OK(cudaEventCreate(&e));
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphCreate(&g, 0));
    cudaGraphNodeParams p = fill_with(5, x);
    OK(cudaGraphAddNode(&fill, child, NULL, NULL, 0, &p));
    OK(cudaGraphAddEmptyNode(&nothing, g, NULL, 0));
    OK(cudaGraphAddEventWaitNode(&wait, g, &nothing, 1, e));
    OK(cudaGraphAddChildGraphNode(&sub, g, &wait, 1, child));
    MUST(type_of(nothing) == cudaGraphNodeTypeEmpty);
    MUST(type_of(wait) == cudaGraphNodeTypeWaitEvent);
    MUST(type_of(sub) == cudaGraphNodeTypeGraph);
    MUST(cudaGraphAddEmptyNode(&found, g, &fill, 1) == cudaErrorInvalidValue);
    MUST(cudaGraphAddEventWaitNode(&found, g, NULL, 0, NULL) != cudaSuccess);
    MUST(cudaGraphAddChildGraphNode(&found, g, NULL, 0, NULL) ==
         cudaErrorInvalidValue);
    OK(cudaGraphNodeGetDependencies(sub, &found, NULL, &n));
    MUST(n == 1 && found == wait);
    OK(cudaGraphChildGraphNodeGetGraph(sub, &inside));
    OK(cudaGraphGetNodes(inside, &found, &n));
    MUST(inside != child && n == 1 && found != fill &&
         type_of(found) == cudaGraphNodeTypeMemset);
    MUST(cudaGraphChildGraphNodeGetGraph(wait, &inside) ==
         cudaErrorInvalidValue);
    MUST(cudaGraphChildGraphNodeGetGraph(sub, NULL) == cudaErrorInvalidValue);
    MUST(cudaGraphChildGraphNodeGetGraph(NULL, &inside) ==
         cudaErrorInvalidValue);
    change_copies(child, fill, g, sub, x);
    OK(cudaGraphDestroy(child));
    OK(cudaEventDestroy(e));
    OK(cudaFree(x));
    cudaGetLastError();
}
typedef cudaGraphConditionalHandle condition;

__global__ void choose(const int *x, condition one, condition other)
{
    cudaGraphSetConditional(one, x[0]);
    cudaGraphSetConditional(other, x[0]);
}

__global__ void count_down(int *x, condition again)
{
    cudaGraphSetConditional(again, --x[0] > 0);
}

static cudaGraphNode_t add_kernel(cudaGraph_t g, void *kernel, void **args)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams k = {};

    k.func = kernel;
    k.gridDim = k.blockDim = dim3(1);
    k.kernelParams = args;
    OK(cudaGraphAddKernelNode(&n, g, NULL, 0, &k));
    return n;
}

static cudaGraphNode_t add_to(cudaGraph_t g, int *x)
{
    int one = 1;
    void *args[] = {&x, &one};

    return add_kernel(g, (void *)add_one, args);
}
static cudaGraphNodeParams under(condition h, cudaGraphConditionalNodeType type,
                                 unsigned bodies)
{
    cudaGraphNodeParams p = {};

    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = bodies;
    return p;
}

/* Adds one to x[1] as often as x[0] says, and to x[2], in a graph of its own. */
static void loop(cudaGraph_t g, int *x)
{
    condition h;
    cudaGraph_t body, inner;
    cudaGraphNode_t n;

    OK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = under(h, cudaGraphCondTypeWhile, 1);
    OK(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    MUST(type_of(n) == cudaGraphNodeTypeConditional);
    body = p.conditional.phGraph_out[0];
    void *args[] = {&x, &h};
    add_kernel(body, (void *)count_down, args);
    add_to(body, x + 1);
    OK(cudaGraphCreate(&inner, 0));
    add_to(inner, x + 2);
    OK(cudaGraphAddChildGraphNode(&n, body, NULL, 0, inner));
    OK(cudaGraphDestroy(inner));
}
/* Adds one to x[3] if x[0], else to x[4]; and to x[5] or x[6] if it is 0 or 1. */
static void branch(cudaGraph_t g, int *x)
{
    condition h[2];
    const cudaGraphConditionalNodeType type[] = {cudaGraphCondTypeIf,
                                                 cudaGraphCondTypeSwitch};

    for (condition &c : h)
        OK(cudaGraphConditionalHandleCreate(&c, g));
    void *args[] = {&x, &h[0], &h[1]};
    cudaGraphNode_t n, first = add_kernel(g, (void *)choose, args);
    for (int i = 0; i < 2; i++) {
        cudaGraphNodeParams p = under(h[i], type[i], 2);

        OK(cudaGraphAddNode(&n, g, &first, NULL, 1, &p));
        for (int k = 0; k < 2; k++)
            add_to(p.conditional.phGraph_out[k], x + 3 + 2 * i + k);
    }
}
static void conditions(void)
{
    const struct {
        cudaGraphConditionalNodeType type;
        unsigned bodies;
    } wrong[] = {{cudaGraphCondTypeIf, 0},
                 {cudaGraphCondTypeIf, 3},
                 {cudaGraphCondTypeWhile, 2},
                 {(cudaGraphConditionalNodeType)3, 1}};
    int *x;
    condition h;
    cudaGraph_t g[2];
    cudaGraphExec_t exec;
    cudaGraphNode_t n;

    OK(cudaMallocManaged(&x, 28));
    memset(x, 0, 28);
    for (int i = 0; i < 2; i++) {
        OK(cudaGraphCreate(&g[i], 0));
        (i ? branch : loop)(g[i], x);
        OK(cudaGraphInstantiate(&exec, g[i], 0));
        for (int k = 0; k < 3; k++) {
            x[0] = i ? k : k + 1;
            OK(cudaGraphLaunch(exec, 0));
            OK(cudaDeviceSynchronize());
        }
        OK(cudaGraphExecDestroy(exec));
    }
    MUST(x[1] == 1 + 2 + 3 && x[2] == x[1]);
    MUST(x[3] == 2 && x[4] == 1 && x[5] == 1 && x[6] == 1);
    MUST(cudaGraphConditionalHandleCreate(NULL, g[0]) == cudaErrorInvalidValue);
    MUST(cudaGraphConditionalHandleCreate(&h, NULL) == cudaErrorInvalidValue);
    MUST(cudaGraphConditionalHandleCreate(&h, g[0], 0, 2) ==
         cudaErrorInvalidValue);
    OK(cudaGraphConditionalHandleCreate(&h, g[0]));
    for (auto w : wrong) {
        cudaGraphNodeParams p = under(h, w.type, w.bodies);

        MUST(cudaGraphAddNode(&n, g[0], NULL, NULL, 0, &p) ==
             cudaErrorInvalidValue);
    }
    cudaGraphNodeParams p = under(0, cudaGraphCondTypeIf, 1);
    MUST(cudaGraphAddNode(&n, g[0], NULL, NULL, 0, &p) ==
         cudaErrorInvalidValue);
    OK(cudaGraphDestroy(g[0]));
    OK(cudaGraphDestroy(g[1]));
    OK(cudaFree(x));
    cudaGetLastError();
}
static cudaStreamCaptureStatus status_of(cudaStream_t s)
{
    cudaStreamCaptureStatus status;

    OK(cudaStreamIsCapturing(s, &status));
    return status;
}

/* Records a fill of x; its node. */
static cudaGraphNode_t record_fill(cudaStream_t s, int *x, size_t behind)
{
    static unsigned long long id;
    unsigned long long now;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *before;
    size_t n;

    OK(cudaStreamGetCaptureInfo(s, &status, &now, NULL, &before, NULL, &n));
    MUST(status == cudaStreamCaptureStatusActive && n == behind);
    MUST(!id || id == now);
    id = now;
    OK(cudaMemsetAsync(x, 1, 4, s));
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &before, NULL, &n));
    MUST(n == 1 && type_of(before[0]) == cudaGraphNodeTypeMemset);
    return before[0];
}

static void spoil(cudaStream_t s)
{
    cudaGraph_t g;

    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaStreamSynchronize(s) != cudaSuccess);
    MUST(status_of(s) == cudaStreamCaptureStatusInvalidated);
    MUST(cudaStreamEndCapture(s, &g) == cudaErrorStreamCaptureInvalidated);
    MUST(g == NULL && status_of(s) == cudaStreamCaptureStatusNone);
}
static void recordings(void)
{
    const unsigned set = cudaStreamSetCaptureDependencies;
    int *x;
    cudaStream_t s;
    cudaGraph_t g, seen;
    cudaGraphNode_t a, b, c, d, from[4], to[4];
    cudaStreamCaptureStatus status;
    size_t n = 4;

    OK(cudaMalloc(&x, 4));
    OK(cudaStreamCreate(&s));
    MUST(status_of(s) == cudaStreamCaptureStatusNone);
    OK(cudaStreamGetCaptureInfo(s, &status));
    MUST(status == cudaStreamCaptureStatusNone);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    a = record_fill(s, x, 0);
    b = record_fill(s, x, 1);
    OK(cudaStreamUpdateCaptureDependencies(s, &a, NULL, 1, set));
    c = record_fill(s, x, 1);
    OK(cudaStreamUpdateCaptureDependencies(s, &b, NULL, 1));
    MUST(cudaStreamUpdateCaptureDependencies(s, &a, NULL, 1, 2) ==
         cudaErrorInvalidValue);
    d = record_fill(s, x, 2);
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, &seen));
    OK(cudaStreamEndCapture(s, &g));
    MUST(g == seen && status_of(s) == cudaStreamCaptureStatusNone);
    OK(cudaGraphGetEdges(g, from, to, NULL, &n));
    MUST(n == 4);
    for (size_t i = 0; i < n; i++)
        MUST((from[i] == a && (to[i] == b || to[i] == c)) ||
             ((from[i] == b || from[i] == c) && to[i] == d));
    MUST(cudaStreamUpdateCaptureDependencies(s, &a, NULL, 1) ==
         cudaErrorIllegalState);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    MUST(cudaStreamUpdateCaptureDependencies(s, &a, NULL, 1) ==
         cudaErrorInvalidValue); /* of another graph */
    OK(cudaStreamEndCapture(s, &seen));
    MUST(cudaStreamIsCapturing(s, NULL) == cudaErrorInvalidValue);
    MUST(cudaStreamIsCapturing((cudaStream_t)g, &status) ==
         cudaErrorInvalidResourceHandle);
    spoil(s);
    OK(cudaGraphDestroy(seen));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(x));
    cudaGetLastError();
}
static void drawing(void)
{
    char path[] = "/tmp/probe_runtime.XXXXXX", text[1000] = "";
    int fd = mkstemp(path), x;
    cudaGraph_t g;
    cudaGraphNode_t kernel, fill;
    cudaGraphNodeParams p = fill_with(1, &x);

    OK(cudaGraphCreate(&g, 0));
    kernel = add_to(g, &x);
    OK(cudaGraphAddNode(&fill, g, NULL, NULL, 0, &p));
    OK(cudaGraphAddDependencies(g, &fill, &kernel, NULL, 1));
    OK(cudaGraphDebugDotPrint(g, path, 0));
    MUST(read(fd, text, sizeof text - 1) > 0);
    close(fd);
    unlink(path);
    MUST(strcmp(text, "digraph graph_1 {\n"
                      "  n0 [label=\"kernel add_one\"];\n"
                      "  n1 -> n0;\n"
                      "  n1 [label=\"memset\"];\n"
                      "}\n") == 0);
    MUST(cudaGraphDebugDotPrint(NULL, path, 0) == cudaErrorInvalidValue);
    MUST(cudaGraphDebugDotPrint(g, NULL, 0) == cudaErrorInvalidValue);
    MUST(cudaGraphDebugDotPrint(g, "/dev/null/x", 0) != cudaSuccess);
    OK(cudaGraphDestroy(g));
    cudaGetLastError();
}
static void graphs(void)
{
    int *x, host[3] = {0}, on_host = 7;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t copy, fill, note_node;
    cudaMemsetParams p = {};
    cudaHostNodeParams h = {note, &on_host};
    size_t n = 0;

    OK(cudaMalloc(&x, 12));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemcpyNode1D(&copy, g, NULL, 0, host, x, 12,
                                cudaMemcpyDeviceToHost));
    p.dst = x;
    p.value = 5;
    p.elementSize = 4;
    p.width = 3;
    p.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, g, NULL, 0, &p));
    OK(cudaGraphAddDependencies(g, &fill, &copy, NULL, 1));
    OK(cudaGraphAddHostNode(&note_node, g, &copy, 1, &h));
    OK(cudaGraphGetEdges(g, NULL, NULL, NULL, &n));
    MUST(n == 2);
    n = 0;
    OK(cudaGraphGetRootNodes(g, NULL, &n));
    MUST(n == 1);
    OK(cudaGraphInstantiate(&exec, g, NULL, NULL, 0));
    calls = 0;
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    MUST(host[0] == 5 && host[2] == 5 && calls == 1 && order[0] == 7);
    p.value = 6;
    OK(cudaGraphExecMemsetNodeSetParams(exec, fill, &p));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    MUST(host[1] == 6);
    OK(cudaMemset(x, 0, 12));
    OK(cudaGraphNodeSetEnabled(exec, fill, 0));
    OK(cudaGraphLaunch(exec, 0));
    OK(cudaDeviceSynchronize());
    MUST(host[1] == 0);
    OK(cudaGraphAddDependencies(g, &copy, &fill, NULL, 1)); /* a circle */
    MUST(cudaGraphInstantiate(&exec, g, 0) == cudaErrorInvalidValue);
    OK(cudaGraphDestroy(g));
    OK(cudaFree(x));
    cudaGetLastError();
    copy_symbols();
    copies();
    conditions();
    recordings();
    drawing();
}
static size_t graph_bytes(cudaGraphMemAttributeType what)
{
    size_t n = 99;

    OK(cudaDeviceGetGraphMemAttribute(0, what, &n));
    return n;
}

/* After graphs that have used four bytes. */
static void give_back(void)
{
    const cudaGraphMemAttributeType high[] = {cudaGraphMemAttrUsedMemHigh,
                                              cudaGraphMemAttrReservedMemHigh};
    size_t one = 1, zero = 0;

    MUST(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == 0);
    MUST(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == 4);
    OK(cudaDeviceGraphMemTrim(0));
    MUST(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == 0);
    for (auto what : high) {
        MUST(graph_bytes(what) == 4);
        MUST(cudaDeviceSetGraphMemAttribute(0, what, &one) ==
             cudaErrorInvalidValue);
        MUST(cudaDeviceSetGraphMemAttribute(0, what, NULL) ==
             cudaErrorInvalidValue);
        MUST(cudaDeviceSetGraphMemAttribute(1, what, &zero) != cudaSuccess);
        MUST(graph_bytes(what) == 4);
        OK(cudaDeviceSetGraphMemAttribute(0, what, &zero));
        MUST(graph_bytes(what) == 0);
    }
    MUST(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                        &zero) == cudaErrorInvalidValue);
    MUST(cudaDeviceGraphMemTrim(1) == cudaErrorInvalidDevice);
    cudaGetLastError();
}
static void slow(void *)
{
    usleep(30000);
}

/* free behind a launch */
/* A launch that waits behind something slow allocates what is freed behind it. */
static void free_behind_a_launch(void)
{
    int *x;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaStream_t s;

    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&x, 4, s));
    OK(cudaMemsetAsync(x, 0, 4, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaFree(x));
    OK(cudaLaunchHostFunc(s, slow, NULL));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaFreeAsync(x, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(s));
}

static void graph_memory(void)
{
    int *x, *again, host = 0;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaStream_t s;
    size_t used;

    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&x, 4, s));
    OK(cudaMemsetAsync(x, 0, 4, s));
    add_one<<<1, 1, 0, s>>>(x, 1);
    OK(cudaMemcpyAsync(&host, x, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(x, s));
    OK(cudaMallocAsync(&again, 4, s));
    OK(cudaStreamEndCapture(s, &g));
    MUST(x == again);
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphDestroy(g));
    for (int i = 0; i < 3; i++) {
        host = 0;
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        MUST(host == 1);
        OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent,
                                          &used));
        MUST(used == 4);
        MUST(cudaGraphLaunch(exec, s) == cudaErrorInvalidValue); /* alive */
        cudaGetLastError();
        OK(cudaFree(again));
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaStreamDestroy(s));
    free_behind_a_launch();
    give_back();
}

/* ask about textures */
static void pitched(void)
{
    char *p, rows[] = "abcdef", some[5] = "";
    size_t pitch = 0;
    cudaPitchedPtr box = {};

    OK(cudaMallocPitch(&p, &pitch, 513, 2));
    MUST(pitch == 1024);
    OK(cudaMemset(p, 0, 2 * pitch));
    MUST(cudaMemset(p, 0, 2 * pitch + 1) != cudaSuccess);
    OK(cudaMemcpy2DAsync(p, pitch, rows, 3, 3, 2, cudaMemcpyHostToDevice, 0));
    OK(cudaMemcpy2DAsync(some, 2, p + 1, pitch, 2, 2, cudaMemcpyDeviceToHost,
                         0));
    OK(cudaDeviceSynchronize());
    MUST(strcmp(some, "bcef") == 0);
    MUST(cudaMemcpy2DAsync(p, 2, rows, 3, 3, 2, cudaMemcpyHostToDevice, 0) ==
         cudaErrorInvalidPitchValue);
    MUST(cudaMemcpy2DAsync(p, pitch, rows, 2, 3, 2, cudaMemcpyHostToDevice,
                           0) == cudaErrorInvalidPitchValue);
    OK(cudaFree(p));
    OK(cudaMalloc3D(&box, make_cudaExtent(5, 3, 2)));
    MUST(box.pitch == 512 && box.xsize == 5 && box.ysize == 3);
    OK(cudaMemset(box.ptr, 0, 6 * box.pitch));
    MUST(cudaMemset(box.ptr, 0, 6 * box.pitch + 1) != cudaSuccess);
    OK(cudaFree(box.ptr));
    MUST(cudaMallocPitch(&p, NULL, 5, 3) == cudaErrorInvalidValue);
    MUST(cudaMallocPitch((char **)NULL, &pitch, 5, 3) == cudaErrorInvalidValue);
    MUST(cudaMalloc3D(NULL, make_cudaExtent(5, 3, 2)) == cudaErrorInvalidValue);
    cudaGetLastError();
}
static void runs_of_bytes(void)
{
    const auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
    const int all[] = {0, 1, 2, 3, 4, 5}, part[] = {7, 8, 9};
    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>(), d = {}, again = {};
    cudaExtent x = {};
    cudaArray_t a;
    unsigned flags = 99;
    int got[6];

    OK(cudaMallocArray(&a, &f, 3, 2, cudaArraySurfaceLoadStore));
    OK(cudaArrayGetInfo(&d, &x, &flags, a));
    OK(cudaArrayGetInfo(NULL, NULL, NULL, a));
    OK(cudaGetChannelDesc(&again, a));
    MUST(memcmp(&d, &f, sizeof f) == 0 && memcmp(&again, &f, sizeof f) == 0);
    MUST(x.width == 3 && x.height == 2 && x.depth == 0);
    MUST(flags == cudaArraySurfaceLoadStore);
    MUST(cudaArrayGetInfo(&d, &x, &flags, NULL) != cudaSuccess);
    MUST(cudaGetChannelDesc(&d, NULL) != cudaSuccess);
    OK(cudaMemcpyToArray(a, 0, 0, all, 24, in));
    OK(cudaMemcpyToArray(a, 8, 0, part, 12, in));
    OK(cudaMemcpyFromArray(got, a, 0, 0, 24, out));
    MUST(got[0] == 0 && got[1] == 1 && got[2] == 7 && got[3] == 8 &&
         got[4] == 9 && got[5] == 5);
    OK(cudaMemcpyFromArray(got, a, 4, 0, 16, out));
    MUST(got[0] == 1 && got[1] == 7 && got[2] == 8 && got[3] == 9);
    MUST(cudaMemcpyToArray(a, 4, 1, all, 12, in) == cudaErrorInvalidValue);
    MUST(cudaMemcpyToArray(NULL, 0, 0, all, 4, in) != cudaSuccess);
    MUST(cudaMemcpyFromArray(got, NULL, 0, 0, 4, out) != cudaSuccess);
    OK(cudaFreeArray(a));
    cudaGetLastError();
}
__global__ void look(cudaTextureObject_t t, int layered, float *out)
{
    out[0] = layered ? tex2DLayered<float>(t, 1.0f, 0.5f, 1)
                     : tex2D<float>(t, 1.0f, 0.5f);
    out[1] = layered ? tex2DLayered<float>(t, -7.0f, 0.5f, 0)
                     : tex2D<float>(t, -7.0f, 0.5f);
    out[2] = layered ? tex2DLayered<float>(t, 1.25f, 1.0f, 1)
                     : tex2D<float>(t, 1.25f, 1.0f);
}

__global__ void put(cudaSurfaceObject_t s)
{
    surf2Dwrite(float(10 * threadIdx.y + threadIdx.x), s,
                threadIdx.x * (int)sizeof(float), threadIdx.y);
}

static cudaTextureObject_t texture(cudaArray_t a, cudaTextureFilterMode filter,
                                   cudaTextureAddressMode mode)
{
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;

    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.filterMode = filter;
    d.addressMode[0] = d.addressMode[1] = mode;
    d.borderColor[0] = -1;
    OK(cudaCreateTextureObject(&t, &r, &d, NULL));
    return t;
}
enum fetch {
    FLAT,
    PITCHED,
    LINE,
    PLANE,
    SPACE,
    LINES,
    PLANES,
    LOD1,
    LOD2,
    LOD3,
    LODS1,
    LODS2,
    FETCHES
};

static __device__ int fetch(cudaTextureObject_t t, int how, int i, int k)
{
    const float x = i + 0.5f, y = (int)threadIdx.y - 0.5f;
    const float z = k + 0.5f;

    return how == FLAT                      ? tex1Dfetch<int>(t, i)
           : how == LINE                    ? tex1D<int>(t, x)
           : how == PITCHED || how == PLANE ? tex2D<int>(t, x, y)
           : how == SPACE                   ? tex3D<int>(t, x, y, z)
           : how == LINES                   ? tex1DLayered<int>(t, x, k)
           : how == PLANES                  ? tex2DLayered<int>(t, x, y, k)
           : how == LOD1                    ? tex1DLod<int>(t, x, 0)
           : how == LOD2                    ? tex2DLod<int>(t, x, y, 0)
           : how == LOD3                    ? tex3DLod<int>(t, x, y, z, 0)
           : how == LODS1                   ? tex1DLayeredLod<int>(t, x, k, 0)
                          : tex2DLayeredLod<int>(t, x, y, k, 0);
}

__global__ void fetch_all(cudaTextureObject_t t, int how, int *out)
{
    out[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] =
        fetch(t, how, (int)threadIdx.x - 1, (int)threadIdx.z);
}
/* Texels 100 z + 10 y + x + 1 of x < 5, y < 3, z < 2, as the resource wants them. */
static cudaResourceDesc lay_out(int how, int *memory)
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>();
    const int rows = how == LINE || how == LINES || how == LOD1 || how == LODS1;
    const int many =
        how == LINES || how == PLANES || how == LODS1 || how == LODS2;
    const int deep = many || how == SPACE || how == LOD3;
    cudaResourceDesc r = {};
    cudaMemcpy3DParms p = {};
    int texel[30];

    for (int i = 0; i < 30; i++)
        texel[i] = 100 * (i / 15) + 10 * (i / 5 % 3) + i % 5 + 1;
    if (how == FLAT || how == PITCHED) {
        r.resType =
            how == FLAT ? cudaResourceTypeLinear : cudaResourceTypePitch2D;
        OK(cudaMemset(memory, 99, 2048));
        OK(cudaMemcpy2D(memory, 512, texel, 20, 20, 3, cudaMemcpyHostToDevice));
        r.res.pitch2D.devPtr = memory;
        r.res.pitch2D.desc = f;
        if (how == FLAT) {
            r.res.linear.sizeInBytes = 20;
            return r;
        }
        r.res.pitch2D.width = 5;
        r.res.pitch2D.height = 3;
        r.res.pitch2D.pitchInBytes = 512;
        return r;
    }
    OK(cudaMalloc3DArray(&r.res.array.array, &f,
                         make_cudaExtent(5, rows ? 0 : 3, deep ? 2 : 0),
                         many ? cudaArrayLayered : 0));
    r.resType = cudaResourceTypeArray;
    p.srcPtr = make_cudaPitchedPtr(texel, 20, 5, 3);
    p.dstArray = r.res.array.array;
    p.extent = make_cudaExtent(5, rows ? 1 : 3, deep ? 2 : 1);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    return r;
}

static int at_most(int i, int most)
{
    return i < 0 ? 0 : i > most ? most : i;
}
static void fetches(void)
{
    int *out, *memory;

    OK(cudaMallocManaged(&out, 7 * 5 * 3 * sizeof *out));
    OK(cudaMalloc(&memory, 2048));
    for (int how = 0; how < FETCHES; how++) {
        const int rows = how == FLAT || how == LINE || how == LINES ||
                         how == LOD1 || how == LODS1;
        const int flat = how == FLAT || how == PITCHED || how == LINE ||
                         how == PLANE || how == LOD1 || how == LOD2;
        cudaResourceDesc r = lay_out(how, memory), same = {};
        cudaTextureDesc d = {}, again = {};
        cudaTextureObject_t t;

        for (auto &m : d.addressMode)
            m = cudaAddressModeClamp;
        d.maxMipmapLevelClamp = 1;
        OK(cudaCreateTextureObject(&t, &r, &d, NULL));
        fetch_all<<<1, dim3(7, 5, 3)>>>(t, how, out);
        OK(cudaDeviceSynchronize());
        for (int i = 0; i < 105; i++) {
            int x = i % 7 - 1, y = i / 7 % 5 - 1, z = i / 35;
            int want = 100 * (flat ? 0 : at_most(z, 1)) +
                       10 * (rows ? 0 : at_most(y, 2)) + at_most(x, 4) + 1;

            MUST(out[i] == (how == FLAT && (x < 0 || x > 4) ? 0 : want));
        }
        OK(cudaGetTextureObjectResourceDesc(&same, t));
        OK(cudaGetTextureObjectTextureDesc(&again, t));
        MUST(memcmp(&same, &r, sizeof r) == 0 &&
             memcmp(&again, &d, sizeof d) == 0);
        OK(cudaDestroyTextureObject(t));
        ALL(cudaErrorInvalidValue, cudaGetTextureObjectResourceDesc(&same, t),
            cudaGetTextureObjectTextureDesc(&again, t));
        if (r.resType == cudaResourceTypeArray)
            OK(cudaFreeArray(r.res.array.array));
    }
    OK(cudaFree(out));
    OK(cudaFree(memory));
    cudaGetLastError();
}
__global__ void look_around(cudaTextureObject_t t, const float3 *at, int *out)
{
    const float3 p = at[threadIdx.x];

    out[threadIdx.x] = texCubemap<int>(t, p.x, p.y, p.z);
}

static void cube(void)
{
    const float3 arrow[] = {{2, .5f, -.5f},  {2, -.5f, -.5f}, {-2, .5f, .5f},
                            {-2, -.5f, .5f}, {.5f, 2, -.5f},  {.5f, 2, .5f},
                            {.5f, -2, .5f},  {.5f, -2, -.5f}, {.5f, .5f, 2},
                            {.5f, -.5f, 2},  {-.5f, .5f, -2}, {-.5f, -.5f, -2}};
    cudaChannelFormatDesc f = cudaCreateChannelDesc<int>();
    int texel[6 * 16], *out;
    float3 *at;
    cudaArray_t a;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    cudaMemcpy3DParms p = {};

    for (int i = 0; i < 96; i++) /* face, row, column */
        texel[i] = 100 * (i / 16) + 10 * (i / 4 % 4) + i % 4;
    MUST(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 3, 6),
                           cudaArrayCubemap) == cudaErrorInvalidValue);
    MUST(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 4, 5),
                           cudaArrayCubemap) == cudaErrorInvalidValue);
    OK(cudaMalloc3DArray(&a, &f, make_cudaExtent(4, 4, 6), cudaArrayCubemap));
    p.srcPtr = make_cudaPitchedPtr(texel, 16, 4, 4);
    p.dstArray = a;
    p.extent = make_cudaExtent(4, 4, 6);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    d.normalizedCoords = 1;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    OK(cudaCreateTextureObject(&t, &r, &d, NULL));
    OK(cudaMallocManaged(&out, 12 * sizeof *out));
    OK(cudaMallocManaged(&at, sizeof arrow));
    memcpy(at, arrow, sizeof arrow);
    look_around<<<1, 12>>>(t, at, out);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 12; i++)
        MUST(out[i] == 100 * (i / 2) + 10 * (1 + i % 2) + 2);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(a));
    OK(cudaFree(out));
    OK(cudaFree(at));
    cudaGetLastError();
}

/* ask between two levels */
/* Level 0 is 1, level 1 is 3. */
__global__ void look_between(cudaTextureObject_t t, float *out)
{
    const float lod[] = {-1, 0.25f, 0.75f, 5};

    for (int i = 0; i < 4; i++)
        out[i] = tex2DLod<float>(t, 0.5f, 0.5f, lod[i]);
}

static void levels(enum cudaTextureFilterMode within,
                   enum cudaTextureFilterMode between, float *out)
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    const float texel[] = {1, 1, 1, 1, 3};
    cudaMipmappedArray_t m;
    cudaTextureObject_t t;
    cudaTextureDesc d = {};
    cudaResourceDesc r = {};
    cudaArray_t a;

    OK(cudaMallocMipmappedArray(&m, &f, make_cudaExtent(2, 2, 0), 2));
    for (unsigned i = 0; i < 2; i++) {
        OK(cudaGetMipmappedArrayLevel(&a, m, i));
        OK(cudaMemcpy2DToArray(a, 0, 0, texel + 4 * i, 8 >> i, 8 >> i, 2 >> i,
                               cudaMemcpyHostToDevice));
    }
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = m;
    d.normalizedCoords = 1;
    d.filterMode = within;
    d.mipmapFilterMode = between;
    d.maxMipmapLevelClamp = 9;
    OK(cudaCreateTextureObject(&t, &r, &d, NULL));
    look_between<<<1, 1>>>(t, out);
    OK(cudaDeviceSynchronize());
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeMipmappedArray(m));
}

/* copy an array back */
/* Two layers of two rows of three come back as they went. */
static void copy_back(cudaArray_t layers, const float *texel)
{
    cudaMemcpy3DParms p = {};
    float back[12];

    p.srcArray = layers;
    p.dstPtr = make_cudaPitchedPtr(back, 12, 3, 2);
    p.extent = make_cudaExtent(3, 2, 2);
    p.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&p));
    MUST(memcmp(back, texel, sizeof back) == 0);
    p.dstPtr.pitch = 8; /* less than a row */
    MUST(cudaMemcpy3D(&p) != cudaSuccess);
    cudaGetLastError();
}

static void textures(void)
{
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    cudaArray_t a, layers;
    cudaResourceDesc r = {};
    cudaSurfaceObject_t s;
    cudaMemcpy3DParms p = {};
    float *out, texel[12];

    MUST(f.x == 32 && f.y == 0 && f.f == cudaChannelFormatKindFloat);
    OK(cudaMallocManaged(&out, 16));
    OK(cudaMallocArray(&a, &f, 3, 2, cudaArraySurfaceLoadStore));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    OK(cudaCreateSurfaceObject(&s, &r));
    put<<<1, dim3(3, 2)>>>(s);
    look<<<1, 1>>>(texture(a, cudaFilterModeLinear, cudaAddressModeClamp), 0,
                   out);
    OK(cudaDeviceSynchronize());
    MUST(out[0] == 0.5f && out[1] == 0 && out[2] == 5.75f);
    look<<<1, 1>>>(texture(a, cudaFilterModePoint, cudaAddressModeBorder), 0,
                   out);
    OK(cudaDeviceSynchronize());
    MUST(out[0] == 1 && out[1] == -1 && out[2] == 11);
    for (int i = 0; i < 12; i++)
        texel[i] = i;
    OK(cudaMalloc3DArray(&layers, &f, make_cudaExtent(3, 2, 2),
                         cudaArrayLayered));
    p.srcPtr = make_cudaPitchedPtr(texel, 12, 3, 2);
    p.dstArray = layers;
    p.extent = make_cudaExtent(3, 2, 2);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    look<<<1, 1>>>(texture(layers, cudaFilterModeLinear, cudaAddressModeClamp),
                   1, out);
    OK(cudaDeviceSynchronize());
    MUST(out[0] == 6.5f && out[1] == 0 && out[2] == 8.25f);
    copy_back(layers, texel);
    for (auto within : {cudaFilterModeLinear, cudaFilterModePoint}) {
        levels(within, cudaFilterModeLinear, out);
        MUST(out[0] == 1 && out[1] == 1.5f && out[2] == 2.5f && out[3] == 3);
        levels(within, cudaFilterModePoint, out);
        MUST(out[0] == 1 && out[1] == 1 && out[2] == 3 && out[3] == 3);
    }
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(layers));
    OK(cudaFree(out));
    pitched();
    runs_of_bytes();
    fetches();
    cube();
}

/* ask about groups */
struct wide {
    double a, b, c;
};

__global__ void group(int *bad, const int *in)
{
    __shared__ int copy[256];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto big = cg::tiled_partition<128>(block);
    auto two = cg::tiled_partition<64>(block);
    cg::thread_block_tile<4> four = cg::tiled_partition<4>(warp);
    cg::thread_group eight = cg::tiled_partition(block, 8);
    int t = threadIdx.x, b = 0;
    wide w = {1.0 * t, 2.0 * t, 3.0 * t};
    auto side = cg::binary_partition(warp, t % 3 == 0);
    auto label = cg::labeled_partition(warp, t % 5);

    w = warp.shfl(w, 5);
    b += w.a != t / 32 * 32 + 5 || w.c != 3.0 * (t / 32 * 32 + 5);
    b += cg::reduce(big, 1, cg::plus<int>()) != 128;
    b += big.any(t == 3) != (t < 128);
    b +=
        two.any(t == 130) != (t / 64 == 2) || two.all(t != 70) != (t / 64 != 1);
    b += two.shfl(t, 40) != t / 64 * 64 + 40 ||
         two.shfl(2.0 * t, 63) != 2.0 * (t | 63);
    b += cg::reduce(four, t, cg::greater<int>()) != (t | 3);
    b += cg::inclusive_scan(warp, 1) != t % 32 + 1;
    b += cg::exclusive_scan(four, 2) != 2 * (t % 4);
    b += cg::reduce(side, 1, cg::plus<int>()) != (int)side.size();
    b += label.size() != (unsigned)__popc(__match_any_sync(~0u, t % 5));
    b += label.meta_group_size() != 5 || eight.size() != 8;
    cg::memcpy_async(block, copy, in, sizeof copy);
    cg::wait(block);
    b += copy[255 - t] != in[255 - t];
    if (t % 2) {
        cg::coalesced_group odd = cg::coalesced_threads();

        b += odd.size() != 16 || odd.shfl(t, 0) != t / 32 * 32 + 1;
    }
    if (b)
        atomicAdd(bad, b);
}

static void groups(void)
{
    int *bad, *in;

    OK(cudaMallocManaged(&bad, 4));
    OK(cudaMallocManaged(&in, 1024));
    *bad = 0;
    for (int i = 0; i < 256; i++)
        in[i] = 7 * i;
    group<<<3, 256>>>(bad, in);
    OK(cudaDeviceSynchronize());
    MUST(*bad == 0);
    OK(cudaFree(bad));
    OK(cudaFree(in));
}

/* ask about clusters */
__global__ void __cluster_dims__(2, 2, 1) neighbors(int *bad)
{
    __shared__ int told;
    cg::cluster_group all = cg::this_cluster();
    dim3 at = all.block_index(), shape = all.dim_blocks();
    unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned rank = all.block_rank(), next = (rank + 1) % 4;
    int b = 0, *there = all.map_shared_rank(&told, next);

    b += all.num_blocks() != 4 || shape.x != 2 || shape.y != 2 || shape.z != 1;
    b += at.x != blockIdx.x % 2 || at.y != blockIdx.y % 2 || at.z != 0;
    b += rank != 2 * at.y + at.x || all.thread_rank() != 64 * rank + t;
    b += all.num_threads() != 256 || all.size() != 256;
    b += all.query_shared_rank(there) != next;
    b += all.query_shared_rank(&told) != rank;
    all.sync(); /* now each of them has begun */
    if (t == 0)
        *there = (int)rank;
    all.barrier_arrive();
    all.barrier_wait();
    b += told != (int)(rank + 3) % 4;
    if (b)
        atomicAdd(bad, b);
}

static void clusters(void)
{
    int *bad;

    OK(cudaMallocManaged(&bad, 4));
    *bad = 0;
    neighbors<<<dim3(4, 6), dim3(8, 8)>>>(bad);
    OK(cudaDeviceSynchronize());
    MUST(*bad == 0);
    OK(cudaFree(bad));
}

/* ask for addresses again */
enum { AREA = 4 << 20, MOST_AREAS = 512 };

/* Allocates all that fits, and returns how many areas that is. */
static int fill(char **area)
{
    int n = 0;

    while (n < MOST_AREAS && cudaMalloc(&area[n], AREA) == cudaSuccess) {
        for (int i = 0; i < n; i++)
            MUST(labs(area[n] - area[i]) >= AREA + (1 << 20));
        n++;
    }
    MUST(n == MOST_AREAS || cudaGetLastError() == cudaErrorMemoryAllocation);
    return n;
}
static void addresses(void)
{
    static char *area[MOST_AREAS], last[AREA];
    char *first, *gap, *third, *p;
    struct rlimit most;
    int n, back = 0;

    if (getrlimit(RLIMIT_AS, &most) || most.rlim_cur == RLIM_INFINITY)
        return;
    OK(cudaMalloc(&first, AREA));
    OK(cudaMalloc(&gap, AREA));
    OK(cudaMalloc(&third, AREA));
    OK(cudaMemset(first, 1, AREA));
    OK(cudaMemset(third, 3, AREA));
    OK(cudaFree(gap));
    for (int i = 0; i < 100; i++) {
        OK(cudaMalloc(&p, AREA));
        OK(cudaMemset(p, 2, AREA));
        back += p == gap;
        OK(cudaFree(p));
    }
    MUST(back > 0 && back < 100); /* the others came first */
    n = fill(area);
    MUST(n > 1 && n < MOST_AREAS);
    for (int i = 0; i < n; i++) {
        MUST(labs(area[i] - first) >= AREA + (1 << 20));
        MUST(labs(area[i] - third) >= AREA + (1 << 20));
    }
    for (char *q : {first, third}) {
        OK(cudaMemcpy(last, q, AREA, cudaMemcpyDeviceToHost));
        for (int i = 0; i < AREA; i++)
            MUST(last[i] == (q == first ? 1 : 3));
    }
    OK(cudaFree(area[n / 2])); /* without its guard there would be room */
    MUST(cudaMalloc(&p, AREA + (1 << 20)) == cudaErrorMemoryAllocation);
    MUST(cudaGetLastError() == cudaErrorMemoryAllocation);
    OK(cudaMalloc(&area[n / 2], AREA));
    for (int i = 0; i < n; i++)
        OK(cudaFree(area[i]));
    MUST(fill(area) == n);
    for (int i = 0; i < n; i++)
        OK(cudaFree(area[i]));
    OK(cudaMalloc(&p, (size_t)(n / 2) * AREA)); /* over many of them */
    OK(cudaFree(p));
    OK(cudaFree(first));
    OK(cudaFree(third));
}

/* ask about the heap */
#ifdef __LOOM__
extern "C" {
void *loom_heap_malloc(size_t bytes);
void loom_heap_free(void *p);
void *loom_heap_new(size_t bytes);
void loom_heap_delete(void *p);
}

__global__ void take_and_free(int *bad)
{
    unsigned char *p = (unsigned char *)loom_heap_malloc(600);
    int b = !p || loom_heap_malloc(401) || loom_heap_malloc(1000) ||
            loom_heap_malloc(1001);

    for (int i = 0; p && i < 600; i++) {
#ifndef LOOM_CHECKED /* it would say that nobody has written there */
        b += p[i] != 0xff;
#endif
        p[i] = (unsigned char)i;
    }
    loom_heap_free(NULL);
    loom_heap_free(p);
    p = (unsigned char *)loom_heap_malloc(1000); /* all of it */
    b += !p || loom_heap_malloc(1);
    loom_heap_delete(p);
    for (int i = 0; i < 100; i++) {
        p = (unsigned char *)loom_heap_new(500);
        b += !p;
        loom_heap_delete(p);
    }
    p = (unsigned char *)loom_heap_malloc(0);
    b += !p;
    loom_heap_free(p);
    *bad = b;
}
static void heap(void)
{
    size_t bytes;
    char *p = (char *)loom_heap_malloc(2000); /* the host's has no such end */
    int *bad;

    MUST(p != NULL);
    memset(p, 1, 2000);
    loom_heap_free(p);
    OK(cudaMallocManaged(&bad, 4));
    OK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1000));
    for (int i = 0; i < 3; i++) {
        *bad = 1;
        take_and_free<<<1, 1>>>(bad);
        OK(cudaDeviceSynchronize());
        MUST(*bad == 0);
    }
    OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes));
    OK(cudaFree(bad));
}
#else
static void heap(void)
{
}
#endif

/* ask about what was named */
static void tell_errors(void)
{
    for (int e = 0; e < 1100; e++) {
        const char *name = cudaGetErrorName((cudaError_t)e);

        if (strncmp(name, "cuda", 4) == 0)
            printf("%d %s: %s\n", e, name, cudaGetErrorString((cudaError_t)e));
    }
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*run)(void);
    } family[] = {{"numbers", numbers},     {"host", host},
                  {"pools", pools},         {"graphs", graphs},
                  {"memory", graph_memory}, {"textures", textures},
                  {"groups", groups},       {"clusters", clusters},
                  {"addresses", addresses}, {"heap", heap}};
    int known = argc < 2;

    if (argc > 1 && strcmp(argv[1], "errors") == 0) {
        tell_errors();
        return 0;
    }
    for (auto f : family)
        if (argc < 2 || strcmp(argv[1], f.name) == 0) {
            f.run();
            known = 1;
        }
    if (!known) {
        fprintf(stderr,
                "probe_runtime: no family %s: say numbers, host, pools,"
                " graphs, memory, textures, groups, clusters, addresses or"
                " heap\n",
                argv[1]);
        return 1;
    }
    printf("ok: %s\n", argc < 2 ? "all families" : argv[1]);
}

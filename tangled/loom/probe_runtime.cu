/* probe_runtime.cu: calls of the runtime that the book's programs do not need:
   each family alone, or all. Usage: probe_runtime [family] */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
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

__global__ void add_one(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i]++;
}

/* ask about numbers */
static void numbers(void)
{
    int least, greatest, priority, grid, block, v;
    size_t bytes;
    cudaStream_t s;

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
}

/* ask about pools */
static void pools(void)
{
    cudaMemPool_t pool, mine;
    cudaMemPoolProps props = {};
    unsigned long long used, keep = 1 << 20;
    int *x, host = 0;

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
    OK(cudaMemPoolDestroy(mine));
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
}

/* ask about textures */
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
    for (auto within : {cudaFilterModeLinear, cudaFilterModePoint}) {
        levels(within, cudaFilterModeLinear, out);
        MUST(out[0] == 1 && out[1] == 1.5f && out[2] == 2.5f && out[3] == 3);
        levels(within, cudaFilterModePoint, out);
        MUST(out[0] == 1 && out[1] == 1 && out[2] == 3 && out[3] == 3);
    }
    OK(cudaFreeArray(a));
    OK(cudaFreeArray(layers));
    OK(cudaFree(out));
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

/* probe_api: what Loom and a GPU must agree on. */
#include <stdio.h>
#include <string.h>

#include "tour/check.h"

/* expect an error */
#define EXPECT(error, call)                                        \
    do {                                                           \
        cudaError_t e = (call);                                    \
        CHECK(e == (error), "%s: %s", #call, cudaGetErrorName(e)); \
    } while (0)

/* check where threads are */
__global__ void count_in(int *count)
{
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread =
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;

    count[block * blockDim.x * blockDim.y * blockDim.z + thread]++;
}

static void check_places(void)
{
    dim3 grid(5, 4, 3), block(7, 2, 3);
    int n = 60 * 42, *count, *host = (int *)check_alloc(n, sizeof *host);

    EXPECT(cudaSuccess, cudaMalloc(&count, n * sizeof *count));
    EXPECT(cudaSuccess, cudaMemset(count, 0, n * sizeof *count));
    count_in<<<grid, block>>>(count);
    EXPECT(cudaSuccess,
           cudaMemcpy(host, count, n * sizeof *host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(host[i] == 1, "thread %d ran %d times", i, host[i]);
    EXPECT(cudaSuccess, cudaFree(count));
    free(host);
}

/* check the limits of launches */
#ifdef __LOOM__
static const cudaError_t refused = cudaErrorInvalidConfiguration;
#else
static const cudaError_t refused = cudaErrorInvalidValue;
#endif
__global__ void nothing(void)
{
}

static void launch(cudaError_t want, dim3 grid, dim3 block)
{
    nothing<<<grid, block>>>();
    EXPECT(want, cudaGetLastError());
    EXPECT(cudaSuccess, cudaGetLastError());
}

static void check_limits(void)
{
    launch(cudaSuccess, dim3(1), dim3(1024));
    launch(cudaSuccess, dim3(1), dim3(4, 4, 64));
    launch(cudaSuccess, dim3(1, 65535), dim3(1));
    launch(refused, dim3(0), dim3(1));
    launch(refused, dim3(1), dim3(1, 0));
    launch(refused, dim3(1), dim3(1025));
    launch(refused, dim3(1), dim3(32, 33));
    launch(refused, dim3(1), dim3(1, 1, 65));
    launch(refused, dim3(1, 65536), dim3(1));
    launch(refused, dim3(1, 1, 65536), dim3(1));
    launch(refused, dim3(1u << 31), dim3(1));
}

/* check how errors are kept */
static void check_last_error(void)
{
    void *p;

    EXPECT(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 50));
    EXPECT(cudaSuccess, cudaDeviceSynchronize());
    EXPECT(cudaErrorMemoryAllocation, cudaPeekAtLastError());
    EXPECT(cudaErrorMemoryAllocation, cudaGetLastError());
    EXPECT(cudaSuccess, cudaGetLastError());
    EXPECT(cudaErrorInvalidDevice, cudaSetDevice(1000));
    EXPECT(cudaErrorInvalidDevice, cudaGetLastError());
    EXPECT(cudaSuccess, cudaFree(NULL));
    EXPECT(cudaErrorInvalidValue, cudaMalloc((void **)NULL, 4));
    EXPECT(cudaErrorInvalidValue, cudaGetLastError());
    CHECK(strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
                 "an illegal memory access was encountered") == 0,
          "another text");
}

/* check copies and symbols */
__constant__ int offsets[4];
__device__ int seen;

__global__ void add_offset(int *y)
{
    y[threadIdx.x] += offsets[threadIdx.x];
    if (threadIdx.x == 3)
        seen = y[3];
}
static void check_memory(void)
{
    int host[4] = {1, 2, 3, 4}, back = 0, *y, *m;

    EXPECT(cudaSuccess, cudaMalloc(&y, sizeof host));
    EXPECT(cudaSuccess, cudaMallocManaged(&m, sizeof host));
    CHECK((size_t)y % 256 == 0, "allocation at %p", (void *)y);
    EXPECT(cudaSuccess, cudaMemcpyToSymbol(offsets, host, sizeof host));
    memcpy(m, host, sizeof host);
    EXPECT(cudaSuccess, cudaMemcpy(y, m, sizeof host, cudaMemcpyDefault));
    add_offset<<<1, 4>>>(y);
    EXPECT(cudaSuccess, cudaMemcpyFromSymbol(&back, seen, sizeof back));
    CHECK(back == 8, "y[3] = %d, want 8", back);
    EXPECT(cudaSuccess,
           cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 2 && host[1] == 4 && host[2] == 6, "a wrong sum");
    EXPECT(cudaErrorInvalidMemcpyDirection,
           cudaMemcpy(host, y, 4, (cudaMemcpyKind)7));
    EXPECT(cudaSuccess, cudaFree(y));
    EXPECT(cudaSuccess, cudaFree(m));
    cudaGetLastError();
}

/* check streams and events */
static void check_events(void)
{
    cudaEvent_t a, b;
    cudaStream_t s;
    float ms = -1;

    EXPECT(cudaSuccess, cudaStreamCreate(&s));
    EXPECT(cudaSuccess, cudaEventCreate(&a));
    EXPECT(cudaSuccess, cudaEventCreate(&b));
    EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, a, b));
    EXPECT(cudaErrorInvalidResourceHandle, cudaGetLastError());
    EXPECT(cudaSuccess, cudaEventRecord(a, s));
    nothing<<<100, 1024, 0, s>>>();
    EXPECT(cudaSuccess, cudaEventRecord(b, s));
    EXPECT(cudaSuccess, cudaStreamSynchronize(s));
    EXPECT(cudaSuccess, cudaEventElapsedTime(&ms, a, b));
    CHECK(ms > 0 && ms < 60000, "%g ms", (double)ms);
    EXPECT(cudaSuccess, cudaEventDestroy(a));
    EXPECT(cudaSuccess, cudaEventDestroy(b));
    EXPECT(cudaSuccess, cudaStreamDestroy(s));
}

/* check graphs */
__global__ void add_to(int *y, int by)
{
    y[threadIdx.x] += by;
}

/* spoil a recording */
static void spoil(cudaStream_t s)
{
    cudaGraph_t g;

    EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
    EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
    EXPECT(cudaErrorStreamCaptureInvalidated, cudaGetLastError());
    EXPECT(cudaErrorIllegalState, cudaStreamEndCapture(s, &g));
    EXPECT(cudaErrorIllegalState, cudaGetLastError());
    EXPECT(cudaSuccess, cudaStreamSynchronize(s));
}

static void check_graphs(void)
{
    int *y, host[64];
    size_t nodes = 0;
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t exec;

    EXPECT(cudaSuccess, cudaStreamCreate(&s));
    EXPECT(cudaSuccess, cudaMalloc(&y, 2 * sizeof host));
    EXPECT(cudaSuccess, cudaMemset(y, 0, 2 * sizeof host));
    EXPECT(cudaSuccess, cudaDeviceSynchronize());
    /* record three nodes */
    EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int by = 5; by > 0; by -= 3) {
        add_to<<<1, 64, 0, s>>>(y, by);
        EXPECT(cudaSuccess, cudaGetLastError());
        if (by == 5)
            EXPECT(cudaSuccess, cudaMemcpyAsync(y + 64, y, sizeof host,
                                                cudaMemcpyDeviceToDevice, s));
    }
    EXPECT(cudaSuccess, cudaStreamEndCapture(s, &g));
    EXPECT(cudaSuccess, cudaGraphGetNodes(g, NULL, &nodes));
    CHECK(nodes == 3, "%zu nodes", nodes);
    EXPECT(cudaSuccess,
           cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 0 && host[63] == 0, "a recorded kernel ran");
    /* launch them three times */
    EXPECT(cudaSuccess, cudaGraphInstantiate(&exec, g, 0));
    EXPECT(cudaSuccess, cudaGraphDestroy(g));
    for (int i = 0; i < 3; i++)
        EXPECT(cudaSuccess, cudaGraphLaunch(exec, s));
    EXPECT(cudaSuccess, cudaStreamSynchronize(s));
    EXPECT(cudaSuccess,
           cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 21 && host[63] == 21, "%d, not 21", host[0]);
    EXPECT(cudaSuccess,
           cudaMemcpy(host, y + 64, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 19 && host[63] == 19, "%d, not 19", host[0]);
    EXPECT(cudaSuccess, cudaGraphExecDestroy(exec));
    spoil(s);
    EXPECT(cudaSuccess, cudaFree(y));
    EXPECT(cudaSuccess, cudaStreamDestroy(s));
}

/* check vectors and functions */
__device__ int nulls;

__global__ void take(const int *p, int n)
{
    nulls += (p == NULL) + n;
}

static void check_zeros(void)
{
    int seen_nulls = 0;

    take<<<1, 1>>>(0, 0);
    take<<<1, 1>>>(NULL, 10);
    EXPECT(cudaSuccess,
           cudaMemcpyFromSymbol(&seen_nulls, nulls, sizeof seen_nulls));
    CHECK(seen_nulls == 12, "%d, not 12", seen_nulls);
}
__global__ void compute(int *wrong, unsigned int *count)
{
    int bad = 0;

    bad += __popc(0xf0f0u) != 8 || __clz(1) != 31 || __clz(0) != 32;
    bad += __ffs(8) != 4 || __brev(1u) != 0x80000000u || __popcll(~0ull) != 64;
    bad += __umulhi(1u << 31, 6) != 3 || __mulhi(-1, 1) != -1;
    bad += __mul24(-3, 5) != -15 || __mul24(0x1ffffff, 0x7000001) != -1;
    bad += min(3, 4) != 3 || max(-1, 1u) != 0xffffffffu || max(2.0f, 3.0f) != 3;
    bad += __float_as_int(1.0f) != 0x3f800000 || __int2float_rn(7) != 7.0f;
    bad += __float2int_rn(2.5f) != 2 || __float2int_rz(-2.5f) != -2;
    bad += __fadd_rn(1.0f, 2.0f) != 3.0f || __fmaf_rn(2, 3, 4) != 10.0f;
    bad += rsqrtf(4.0f) != 0.5f || __saturatef(-1.0f) != 0.0f;
    bad += __byte_perm(0x33221100, 0x77665544, 0x7340) != 0x77334400;
    bad += __funnelshift_l(0x80000001, 5, 33) != 11;
    bad += __funnelshift_r(0x80000001, 5, 4) != 0x58000000;
    bad += __funnelshift_rc(0x80000001, 5, 31) != 11;
    bad += __funnelshift_lc(0x80000001, 5, 31) != 0xc0000000;
    bad += __funnelshift_rc(0x80000001, 5, 40) != 5;
    if (bad)
        atomicAdd(wrong, bad);
    atomicMax(count + 1, blockIdx.x);
    atomicInc(count, 999);
}

static void check_functions(void)
{
    cudaDeviceProp p;

    CHECK(cudaGetDeviceProperties(&p, 0) == cudaSuccess, "properties");
    CHECK(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 &&
              p.maxGridSize[2] == 65535,
          "the largest grid");
    CHECK(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 &&
              p.maxThreadsDim[2] == 64,
          "the largest block");
    /* check the layout of vectors */
    CHECK(sizeof(float3) == 12 && alignof(float3) == 4, "float3");
    CHECK(sizeof(float4) == 16 && alignof(float4) == 16, "float4");
    CHECK(sizeof(double2) == 16 && alignof(double2) == 16, "double2");
    CHECK(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "uchar4");
    CHECK(sizeof(short3) == 6 && alignof(short3) == 2, "short3");
    CHECK(make_int4(1, 2, 3, 4).w == 4 && dim3(7).z == 1, "make_int4, dim3");
    /* run the functions in many blocks */
    unsigned int count[2] = {0, 0}, *c;
    int *wrong;

    EXPECT(cudaSuccess, cudaMallocManaged(&wrong, sizeof *wrong));
    EXPECT(cudaSuccess, cudaMalloc(&c, sizeof count));
    EXPECT(cudaSuccess, cudaMemset(c, 0, sizeof count));
    *wrong = 0;
    compute<<<300, 256>>>(wrong, c);
    EXPECT(cudaSuccess,
           cudaMemcpy(count, c, sizeof count, cudaMemcpyDeviceToHost));
    CHECK(*wrong == 0, "%d wrong results", *wrong);
    CHECK(count[0] == 300 * 256 % 1000 && count[1] == 299, "counted %u, %u",
          count[0], count[1]);
    EXPECT(cudaSuccess, cudaFree(wrong));
    EXPECT(cudaSuccess, cudaFree(c));
}

/* check everything */
int main(void)
{
    check_places();
    check_limits();
    check_last_error();
    check_memory();
    check_events();
    check_graphs();
    check_zeros();
    check_functions();
    printf("ok: launches, errors, memory, events and functions\n");
    return 0;
}

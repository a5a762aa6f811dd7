/* patterns.cuh: strides in global and in shared memory, and what they cost. */
#ifndef MEMORY_PATTERNS_CUH
#define MEMORY_PATTERNS_CUH

#include "memory/fill.cuh"
#include "memory/predict.h"
#include "simt/where.cuh"

/* read with a stride */
/* y[i] = x[i * stride + shift], i < n; four elements a thread. */
__global__ void read_strided(int n, int stride, int shift, const float *x,
                             float *y)
{
    int step = blockDim.x, i = blockIdx.x * step * 4 + threadIdx.x;
    float v[4];

#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < n)
            v[k] = x[(size_t)(i + k * step) * stride + shift];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < n)
            y[i + k * step] = v[k];
}

/* read shared memory with a stride */
enum { BANK_BYTES = 32 * 1024 };

static __device__ inline float part_sum(float v)
{
    return v;
}
static __device__ inline float part_sum(float2 v)
{
    return v.x + v.y;
}
static __device__ inline float part_sum(float4 v)
{
    return (v.x + v.y) + (v.z + v.w);
}

template <class V>
__global__ void read_banks(int stride, int turns, const V *x, float *sums,
                           long long *spent)
{
    enum { N = BANK_BYTES / sizeof(V) };
    __shared__ V s[N];
    int at = my_lane() * stride;
    float sum = 0;
    long long start;

    for (int i = threadIdx.x; i < N; i += blockDim.x)
        s[i] = x[i];
    __syncthreads();
    start = clock64();
#pragma unroll 4
    for (int t = 0; t < turns; t++)
        sum += part_sum(s[(at + t) & (N - 1)]);
    __syncthreads();
    if (threadIdx.x == 0)
        *spent = clock64() - start;
    sums[threadIdx.x] = sum;
}

/* run a bank test and check it */
/* Cycles that a request of a warp takes, with `warps` warps at it. */
template <class V>
static double run_banks(int stride, int warps, int turns, uint64_t seed)
{
    enum { PARTS = sizeof(V) / 4, N = BANK_BYTES / sizeof(V) };
    int n = warps * WARP;
    float *d_x = small_floats(N * PARTS, seed), *d_sums;
    float *h = (float *)check_alloc((size_t)n, sizeof *h);
    long long *d_spent, spent;

    CUDA_CHECK(cudaMalloc((void **)&d_sums, n * sizeof *d_sums));
    CUDA_CHECK(cudaMalloc((void **)&d_spent, sizeof *d_spent));
    CUDA_CHECK(cudaMemset(d_sums, 0xff, n * sizeof *d_sums));
    read_banks<V><<<1, n>>>(stride, turns, (const V *)d_x, d_sums, d_spent);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d_sums, n * sizeof *h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(&spent, d_spent, sizeof spent, cudaMemcpyDeviceToHost));
    /* check the sums of the lanes */
    for (int i = 0; i < n; i++) {
        float want = 0;

        for (int t = 0; t < turns; t++)
            for (int c = 0; c < PARTS; c++)
                want += small_at(
                    seed, (uint64_t)((i % WARP * stride + t) % N * PARTS + c));
        CHECK(h[i] == want, "%d bytes, stride %d: thread %d has %g, not %g",
              4 * PARTS, stride, i, h[i], want);
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_sums));
    CUDA_CHECK(cudaFree(d_spent));
    free(h);
    return (double)spent / warps / turns;
}
#endif

/* bandwidth.cuh: read from registers, shared memory, L1, L2 and memory. */
#ifndef MEMORY_BANDWIDTH_CUH
#define MEMORY_BANDWIDTH_CUH

#include <string.h>

#include "memory/fill.cuh"
#include "memory/peaks.h"
#include "simt/warp.cuh"

/* load from a level */
enum level { FROM_L1, FROM_L2, FROM_MEMORY };

template <int LEVEL>
static __device__ inline float4 load_from(const float4 *p)
{
    if (LEVEL == FROM_L2)
        return __ldcg(p);
    if (LEVEL == FROM_MEMORY)
        return __ldcs(p);
    return *p;
}

static __device__ inline float4 add(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* read from global memory */
/* Each thread adds up 4 * turns vectors; a warp's sum goes to sums[warp].
   x has mask + 1 of them (L1: mask + 1 for each block). */
template <int LEVEL>
__global__ void read_level(unsigned mask, int turns, const float4 *x,
                           float *sums)
{
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = LEVEL == FROM_L1 ? threadIdx.x : me;
    unsigned step = LEVEL == FROM_L1 ? blockDim.x : gridDim.x * blockDim.x;
    float4 sum = make_float4(0, 0, 0, 0);

    if (LEVEL == FROM_L1)
        x += (size_t)blockIdx.x * (mask + 1);
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 4; k++, at += step)
            sum = add(sum, load_from<LEVEL>(&x[at & mask]));
    /* add up the warp and keep the sum */
    sum.x = warp_sum((sum.x + sum.y) + (sum.z + sum.w));
    if (my_lane() == 0)
        sums[me / WARP] = sum.x;
}

/* read from shared memory */
enum { SHARED_VECTORS = 2048 }; /* 32 KiB */

__global__ void read_shared(unsigned mask, int turns, const float4 *x,
                            float *sums)
{
    __shared__ float4 s[SHARED_VECTORS];
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = threadIdx.x;
    float4 sum = make_float4(0, 0, 0, 0);

    for (unsigned i = threadIdx.x; i <= mask; i += blockDim.x)
        s[i] = x[i];
    __syncthreads();
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 4; k++, at += blockDim.x)
            sum = add(sum, s[at & mask]);
    /* add up the warp and keep the sum */
    sum.x = warp_sum((sum.x + sum.y) + (sum.z + sum.w));
    if (my_lane() == 0)
        sums[me / WARP] = sum.x;
}

/* read from registers */
__global__ void read_registers(int turns, float a, float b, float *sums)
{
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    float v[8], sum = 0;

    for (int k = 0; k < 8; k++)
        v[k] = (float)((me + k) % 7);
#pragma unroll 8
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 8; k++)
            v[k] = fmaf(v[k], a, b);
    for (int k = 0; k < 8; k++)
        sum += v[k];
    sum = warp_sum(sum);
    if (my_lane() == 0)
        sums[me / WARP] = sum;
}

/* describe a rung */
struct rung {
    const char *name;
    int blocks, threads, turns;
    unsigned mask; /* vectors of 16 bytes, less one */
    float *d_x, *d_sums;
    uint64_t seed;
};

/* Bytes that one run reads from the rung. */
static inline double rung_bytes(const struct rung *r)
{
    double each = r->name[0] == 'r' ? 8.0 * 12 : 4.0 * 16;

    return each * r->turns * r->blocks * r->threads;
}

/* run a rung */
static void run_rung(void *work, int set)
{
    struct rung *r = (struct rung *)work;
    const float4 *x = (const float4 *)r->d_x;

    (void)set;
    if (r->name[0] == 'r')
        read_registers<<<r->blocks, r->threads>>>(r->turns, 0.5f, 1, r->d_sums);
    else if (r->name[0] == 's')
        read_shared<<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    else if (strcmp(r->name, "l1") == 0)
        read_level<FROM_L1>
            <<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    else if (strcmp(r->name, "l2") == 0)
        read_level<FROM_L2>
            <<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    else
        read_level<FROM_MEMORY>
            <<<r->blocks, r->threads>>>(r->mask, r->turns, x, r->d_sums);
    CUDA_LAUNCH_CHECK();
}

/* compute what a warp should have read */
static float rung_want(const struct rung *r, int warp)
{
    int mine = strcmp(r->name, "l1") == 0 || r->name[0] == 's';
    unsigned threads = (unsigned)r->threads;
    unsigned step = mine ? threads : threads * (unsigned)r->blocks;
    uint64_t own = strcmp(r->name, "l1") == 0 ? r->mask + 1ull : 0;
    float sum = 0;

    if (r->name[0] == 'r')
        return 32 * 8 * 2;
    for (int lane = 0; lane < 32; lane++) {
        unsigned me = (unsigned)warp * 32 + (unsigned)lane;
        unsigned at = mine ? me % threads : me;

        for (int k = 0; k < 4 * r->turns; k++, at += step)
            for (int c = 0; c < 4; c++)
                sum += small_at(r->seed,
                                4 * (me / threads * own + (at & r->mask)) +
                                    (unsigned)c);
    }
    return sum;
}

/* check a rung */
/* Runs it once and compares every `every`-th warp's sum. */
static void check_rung(struct rung *r, int every)
{
    int warps = r->blocks * r->threads / 32;
    float *h = (float *)check_alloc((size_t)warps, sizeof *h);

    CUDA_CHECK(cudaMemset(r->d_sums, 0xff, warps * sizeof *h));
    run_rung(r, 0);
    CUDA_CHECK(
        cudaMemcpy(h, r->d_sums, warps * sizeof *h, cudaMemcpyDeviceToHost));
    for (int w = 0; w < warps; w++) {
        CHECK(h[w] == h[w], "%s: warp %d wrote no sum", r->name, w);
        if (w % every == 0)
            CHECK(h[w] == rung_want(r, w), "%s: warp %d read %g, not %g",
                  r->name, w, h[w], rung_want(r, w));
    }
    free(h);
}
#endif

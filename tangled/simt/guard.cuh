/* guard.cuh: vector addition with and without its guard. */
#ifndef SIMT_GUARD_CUH
#define SIMT_GUARD_CUH

#include "kernels/vecadd.cuh"
#include "simt/where.cuh"
#include "tour/rng.h"

enum { GUARD_BLOCK = 256 };

/* count the warps that the guard divides */
__global__ void count_divided(int n, unsigned *divided)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned inside = __ballot_sync(0xffffffffu, i < n);

    if (my_lane() == 0 && inside != 0 && inside != 0xffffffffu)
        atomicAdd(divided, 1u);
}

/* add without the guard */
/* For arrays of whole blocks: as many elements as threads. */
__global__ void add_unguarded(const float *x, const float *y, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    z[i] = x[i] + y[i];
}

/* choose between two short ways */
__global__ void choose(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v;

    if (i >= n)
        return;
    v = x[i];
    if (v > 0.5f)
        v = fmaf(v, 3, 1);
    else
        v = fmaf(v, 5, -2);
    y[i] = v;
}

/* add and choose, and look at every element */
static void run_pair(int k, int n, int all, const float *x, float *z)
{
    int blocks = all / GUARD_BLOCK;

    CUDA_CHECK(cudaMemset(z, 0xff, (size_t)all * sizeof *z));
    if (k == 0)
        add_grid<<<blocks, GUARD_BLOCK>>>(n, x, x + all, z);
    else if (k == 1)
        add_unguarded<<<blocks, GUARD_BLOCK>>>(x, x + all, z);
    else
        choose<<<blocks, GUARD_BLOCK>>>(n, x, z);
    CUDA_LAUNCH_CHECK();
}

static void check_guard(int n, uint64_t seed)
{
    int all = blocks_for((size_t)n + 1, GUARD_BLOCK) * GUARD_BLOCK;
    size_t bytes = 3 * (size_t)all * sizeof(float);
    float *h = (float *)check_alloc(bytes, 1), *d, *z = h + 2 * (size_t)all;

    rng_fill_float(h, 2 * (size_t)all, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    for (int k = 0; k < 3; k++) {
        run_pair(k, n, all, d, d + 2 * (size_t)all);
        CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
        for (int i = 0; i < all; i++) {
            float x = h[i], sum = x + h[i + all];
            float chosen = x > 0.5f ? fmaf(x, 3, 1) : fmaf(x, 5, -2);

            CHECK(i >= n && k != 1 ? isnan(z[i])
                                   : z[i] == (k == 2 ? chosen : sum),
                  "kernel %d: element %d of %d is %.9g", k, i, n, z[i]);
        }
    }
    CUDA_CHECK(cudaFree(d));
    free(h);
}

#endif

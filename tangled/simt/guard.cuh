/* guard.cuh: vector addition with and without its guard. */
#ifndef SIMT_GUARD_CUH
#define SIMT_GUARD_CUH

#include "kernels/vecadd.cuh"
#include "simt/where.cuh"

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

#endif

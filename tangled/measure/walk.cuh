/* walk.cuh: a kernel that only reads, and one of any intensity. */
#ifndef MEASURE_WALK_CUH
#define MEASURE_WALK_CUH

#include "kernels/launch.h"

/* read and add up */
enum { READS = 4 }; /* vectors for each thread */

/* sums[t], if wanted: what thread t of the grid has read of x[0..n). A block
   of b threads reads READS b vectors. */
__global__ void read_all(size_t n, const float4 *x, float *sums)
{
    size_t i = blockIdx.x * (size_t)blockDim.x * READS + threadIdx.x;
    float4 v[READS];
    float sum = 0;

    for (int k = 0; k < READS; k++)
        v[k] = i + k * blockDim.x < n ? x[i + k * blockDim.x] : float4{};
    for (int k = 0; k < READS; k++)
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    if (sums)
        sums[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = sum;
}

/* walk from one vector */
static __device__ inline float4 walked(float4 v, int k, float a, float b)
{
#pragma unroll 32
    for (int s = 0; s < k; s++) {
        v.x = fmaf(v.x, a, b);
        v.y = fmaf(v.y, a, b);
        v.z = fmaf(v.z, a, b);
        v.w = fmaf(v.w, a, b);
    }
    return v;
}

/* walk k steps */
/* y[i] = x[i] after k steps v = v a + b, for n vectors of four floats. */
__global__ void walk(size_t n, int k, float a, float b, const float4 *x,
                     float4 *y)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = walked(x[i], k, a, b);
}

/* walk and load ahead */
__global__ void walk_ahead(size_t n, int k, float a, float b, const float4 *x,
                           float4 *y)
{
    size_t step = gridDim.x * (size_t)blockDim.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float4 next = i < n ? x[i] : float4{};

    for (; i < n; i += step) {
        float4 v = next;

        if (i + step < n)
            next = x[i + step];
        y[i] = walked(v, k, a, b);
    }
}

#endif

/* walk.cuh: a kernel that only reads, and one of any intensity. */
#ifndef MEASURE_WALK_CUH
#define MEASURE_WALK_CUH

#include "kernels/launch.h"

/* read and add up */
/* sums[t] = the sum of what thread t of the grid has read of x[0..n). */
__global__ void read_all(size_t n, const float4 *x, float *sums)
{
    size_t t = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    size_t step = gridDim.x * (size_t)blockDim.x, i = t;
    float sum = 0;

    for (; i + 3 * step < n; i += 4 * step) {
        float4 a = x[i], b = x[i + step];
        float4 c = x[i + 2 * step], d = x[i + 3 * step];

        sum += ((a.x + a.y) + (a.z + a.w)) + ((b.x + b.y) + (b.z + b.w));
        sum += ((c.x + c.y) + (c.z + c.w)) + ((d.x + d.y) + (d.z + d.w));
    }
    for (; i < n; i += step)
        sum += (x[i].x + x[i].y) + (x[i].z + x[i].w);
    sums[t] = sum;
}

/* walk k steps */
/* y[i] = x[i] after k steps v = v a + b, for n vectors of four floats. */
__global__ void walk(size_t n, int k, float a, float b, const float4 *x,
                     float4 *y)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n) {
        float4 v = x[i];

#pragma unroll 16
        for (int s = 0; s < k; s++) {
            v.x = fmaf(v.x, a, b);
            v.y = fmaf(v.y, a, b);
            v.z = fmaf(v.z, a, b);
            v.w = fmaf(v.w, a, b);
        }
        y[i] = v;
    }
}

#endif

/* bench.cuh: the kernel that a sum is measured against. */
#ifndef REDUCE_BENCH_CUH
#define REDUCE_BENCH_CUH

#include "reduce/reduce.cuh"

/* read and do nothing */
__global__ void read_only(size_t n, const float4 *x, float *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    float4 w[SUM_LOADS];
    unsigned all = 0;

    for (; i + (SUM_LOADS - 1) * step < n; i += SUM_LOADS * step) {
#pragma unroll
        for (int k = 0; k < SUM_LOADS; k++)
            w[k] = __ldcs(&x[i + k * step]);
#pragma unroll
        for (int k = 0; k < SUM_LOADS; k++)
            all |= __float_as_uint(w[k].x) & __float_as_uint(w[k].y) &
                   __float_as_uint(w[k].z) & __float_as_uint(w[k].w);
    }
    if (all == 0xffffffff) /* the inputs are no NaNs */
        *out = 0;
}

#endif

/* relu.cuh: y = max(x, 0), for floats and for halves. */
#ifndef MEASURE_RELU_CUH
#define MEASURE_RELU_CUH

#include <cuda_fp16.h>

#include "kernels/launch.h"

/* n vectors of four floats: 16 bytes read and 16 written by each thread. */
__global__ void relu_float(size_t n, const float4 *x, float4 *y)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n) {
        float4 v = x[i];

        y[i] = make_float4(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0),
                           fmaxf(v.w, 0));
    }
}

/* take the positive part of halves */
/* Eight halves as the 16 bytes that a thread loads at once. */
struct __align__(16) half8
{
    __half2 pair[4];
};

/* n vectors of eight halves. */
__global__ void relu_half(size_t n, const half8 *x, half8 *y)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n) {
        half8 v = x[i];

        for (int k = 0; k < 4; k++)
            v.pair[k] = __hmax2(v.pair[k], __float2half2_rn(0));
        y[i] = v;
    }
}

#endif

/* relu.cuh: y = max(x, 0), for floats and for halves. */
#ifndef MEASURE_RELU_CUH
#define MEASURE_RELU_CUH

#include <cuda_fp16.h>

#include "kernels/launch.h"

/* cut off sixteen bytes at zero */
struct __align__(16) half8
{
    __half2 pair[4];
};

static __device__ inline float4 positive(float4 v)
{
    return make_float4(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0),
                       fmaxf(v.w, 0));
}

static __device__ inline half8 positive(half8 v)
{
    for (int k = 0; k < 4; k++)
        v.pair[k] = __hmax2(v.pair[k], __float2half2_rn(0));
    return v;
}

/* apply ReLU to vectors */
/* n vectors of 16 bytes, in place where y is x. */
template <class V>
__global__ void relu(size_t n, const V *x, V *y)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = positive(x[i]);
}

#endif

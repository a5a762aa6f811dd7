/* sgd.cuh: one step of stochastic gradient descent. */
#ifndef LAYERS_SGD_CUH
#define LAYERS_SGD_CUH

#include "kernels/launch.h"

__global__ void sgd_each(size_t n, float rate, const float *dw, float *w)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        w[i] -= rate * dw[i];
}

/* Queues w -= rate * dw, n numbers, on the stream. */
static inline void sgd_run(size_t n, float rate, const float *dw, float *w,
                           cudaStream_t stream)
{
    if (n > 0)
        sgd_each<<<blocks_for(n, 256), 256, 0, stream>>>(n, rate, dw, w);
    CUDA_LAUNCH_CHECK();
}

#endif

/* relu.cuh: ReLU, forward and backward. */
#ifndef LAYERS_RELU_CUH
#define LAYERS_RELU_CUH

#include "layers/vectors.cuh"

/* cut off below zero */
template <class V>
__global__ void relu_each(size_t n, const V *x, V *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        V v = x[i];

        for (int k = 0; k < floats_in<V>::COUNT; k++)
            float_at(v, k) = float_at(v, k) <= 0 ? 0 : float_at(v, k);
        y[i] = v;
    }
}

template <class V>
__global__ void relu_slope(size_t n, const V *y, const V *dy, V *dx)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        V v = y[i], d = dy[i];

        for (int k = 0; k < floats_in<V>::COUNT; k++)
            float_at(d, k) = float_at(v, k) <= 0 ? 0 : float_at(d, k);
        dx[i] = d;
    }
}

/* launch a ReLU */
/* Queue on the stream; y may be x, and dx may be dy. */
static inline void relu_forward_run(size_t n, const float *x, float *y,
                                    cudaStream_t stream)
{
    if (n == 0)
        return;
    if (by_four(n, x, y, y))
        relu_each<<<blocks_for(n / 4, 256), 256, 0, stream>>>(
            n / 4, (const float4 *)x, (float4 *)y);
    else
        relu_each<<<blocks_for(n, 256), 256, 0, stream>>>(n, x, y);
    CUDA_LAUNCH_CHECK();
}

/* launch the way back through a ReLU */
static inline void relu_backward_run(size_t n, const float *y, const float *dy,
                                     float *dx, cudaStream_t stream)
{
    if (n == 0)
        return;
    if (by_four(n, y, dy, dx))
        relu_slope<<<blocks_for(n / 4, 256), 256, 0, stream>>>(
            n / 4, (const float4 *)y, (const float4 *)dy, (float4 *)dx);
    else
        relu_slope<<<blocks_for(n, 256), 256, 0, stream>>>(n, y, dy, dx);
    CUDA_LAUNCH_CHECK();
}

#endif

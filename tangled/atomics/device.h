/* device.h: device memory in one call, for programs that are not timed. */
#ifndef ATOMICS_DEVICE_H
#define ATOMICS_DEVICE_H

#include "kernels/launch.h"

/* New device memory that holds a copy of h[0..bytes), or zeros if h is NULL. */
static inline void *to_device(const void *h, size_t bytes)
{
    void *d;

    CUDA_CHECK(cudaMalloc(&d, bytes));
    if (h)
        CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    else
        CUDA_CHECK(cudaMemset(d, 0, bytes));
    return d;
}

/* Copies d[0..bytes) to h, when all kernels before have ended. */
static inline void to_host(void *h, const void *d, size_t bytes)
{
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
}

#endif

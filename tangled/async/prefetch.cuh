/* prefetch.cuh: one name for the prefetch of CUDA 12 and of CUDA 13. */
#ifndef ASYNC_PREFETCH_CUH
#define ASYNC_PREFETCH_CUH

#include "stack/cuda_check.h"

/* prefetch under both */
/* Moves `bytes` at p to the device, or with cudaCpuDeviceId to the host. */
static inline cudaError_t prefetch(const void *p, size_t bytes, int device,
                                   cudaStream_t s)
{
#if CUDART_VERSION >= 13000
    struct cudaMemLocation where = {cudaMemLocationTypeDevice, device};

    if (device == cudaCpuDeviceId)
        where = {cudaMemLocationTypeHost, 0};
    return cudaMemPrefetchAsync(p, bytes, where, 0, s);
#else
    return cudaMemPrefetchAsync(p, bytes, device, s);
#endif
}

#endif

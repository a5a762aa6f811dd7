/* count.cuh: n threads add 1 to one counter, in three ways. */
#ifndef ATOMICS_COUNT_CUH
#define ATOMICS_COUNT_CUH

#include "atomics/device.h"

/* count in three ways */
/* Each of n threads adds 1 to *count. Only the second is right. */
__global__ void count_plain(int n, unsigned *count)
{
    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) < n)
        *count = *count + 1;
}

__global__ void count_atomic(int n, unsigned *count)
{
    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) < n)
        atomicAdd(count, 1);
}
__global__ void count_mixed(int n, unsigned *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && i % 2)
        atomicAdd(count, 1);
    else if (i < n)
        *count = *count + 1;
}

/* launch one of the three */
static unsigned count_with(void (*kernel)(int, unsigned *), unsigned n)
{
    unsigned *d = (unsigned *)to_device(NULL, sizeof *d), h;

    kernel<<<blocks_for(n, 256), 256>>>((int)n, d);
    to_host(&h, d, sizeof h);
    CUDA_CHECK(cudaFree(d));
    return h;
}

#endif

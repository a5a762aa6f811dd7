/* wrong: check: race on global memory */
/* wrong: gpu: [0-9]+ of 65536 arrive */
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

int main(void)
{
    unsigned count = count_with(count_mixed, 65536);

    CHECK(count == 65536, "mixed: %u of 65536 arrive", count);
    return 0;
}

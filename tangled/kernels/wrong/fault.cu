/* wrong: run: cudaDeviceSynchronize.*illegal memory access */
/* wrong: gpu: cudaDeviceSynchronize.*illegal memory access */
#include <stdio.h>

#include "kernels/launch.h"

/* follow a pointer */
__global__ void follow(const int *p, int *q)
{
    *q = *p;
}

int main(void)
{
    int *nowhere = NULL, *d_q;

    CUDA_CHECK(cudaMalloc((void **)&d_q, sizeof *d_q));
    /* follow a null pointer and wait */
    follow<<<1, 1>>>(nowhere, d_q);
    CUDA_LAUNCH_CHECK(); /* accepted: the fault has yet to happen */
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

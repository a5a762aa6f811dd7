/* wrong: check: out of bounds: thread .99,0,0. of block .0,0,0. reads 4 bytes */
/* wrong: memcheck: Invalid __global__ read of size 4 bytes */
#include "kernels/launch.h"

/* read past the end */
__global__ void shift_beyond(int n, float *a)
{
    int i = threadIdx.x;
    float next = i < n ? a[i + 1] : 0.0f; /* i < n - 1 is meant */

    __syncthreads();
    if (i < n)
        a[i] = next;
}

int main(void)
{
    float *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 100 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a, 0, 100 * sizeof *d_a));
    shift_beyond<<<1, 128>>>(100, d_a);
    /* wait for the kernel */
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
}

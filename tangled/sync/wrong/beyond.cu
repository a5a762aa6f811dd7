/* wrong: check: out of bounds: thread .99,0,0. of block .0,0,0. reads 4 bytes */
/* wrong: memcheck: Invalid __global__ read of size 4 bytes */
#include "kernels/launch.h"

__global__ void shift_beyond(int n, const float *a, float *b)
{
    int i = threadIdx.x;

    if (i < n) /* n - 1 is meant */
        b[i] = a[i + 1];
}

int main(void)
{
    float *d_a, *d_b;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 100 * sizeof *d_a));
    CUDA_CHECK(cudaMalloc((void **)&d_b, 100 * sizeof *d_b));
    CUDA_CHECK(cudaMemset(d_a, 0, 100 * sizeof *d_a));
    shift_beyond<<<1, 128>>>(100, d_a, d_b);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    return 0;
}

/* wrong: check: race on global memory: .* in add_locked */
#include "kernels/launch.h"

__global__ void add_locked(volatile unsigned *lock, int *total)
{
    if (threadIdx.x == 0) {
        while (*lock != 0)
            ;
        *lock = 1;
        *total += 1;
        *lock = 0;
    }
}

/* run a broken lock */
int main(void)
{
    unsigned *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 4 * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, 4 * sizeof *d));
    add_locked<<<8, 64>>>(d, (int *)d + 2);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d));
    return 0;
}

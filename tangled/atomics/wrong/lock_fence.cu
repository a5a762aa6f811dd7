/* wrong: check: race on global memory: .* in add_locked */
#include "kernels/launch.h"

__global__ void add_locked(unsigned *lock, int *total)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0u, 1u) != 0)
            ;
        *total += 1;
        atomicExch(lock, 0u);
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

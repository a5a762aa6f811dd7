/* wrong: run: the kernel does not end: .*this thread spins */
#include "kernels/launch.h"

/* wait for blocks that may not have started */
/* Every block waits until all have come, in a launch that promises nothing. */
__global__ void meet_unborn(unsigned *count)
{
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x)
            __nanosleep(100);
    }
    __syncthreads();
}

int main(void)
{
    /* take 64 zeros */
    unsigned *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 64 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a, 0, 64 * sizeof *d_a));
    meet_unborn<<<100000, 64>>>(d_a);
    /* wait for the kernel */
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
}

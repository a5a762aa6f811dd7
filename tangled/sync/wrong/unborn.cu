/* wrong: run: the kernel does not end: .*this thread spins */
#include "kernels/launch.h"

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
    unsigned *d_count;

    CUDA_CHECK(cudaMalloc((void **)&d_count, sizeof *d_count));
    CUDA_CHECK(cudaMemset(d_count, 0, sizeof *d_count));
    meet_unborn<<<100000, 64>>>(d_count);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d_count));
    return 0;
}

/* wrong: check: race on global memory: .* in sum_without_fences */
#include "kernels/launch.h"

__global__ void sum_without_fences(int *part, unsigned *count, int *total)
{
    part[blockIdx.x] = 1;
    if (atomicAdd(count, 1) == gridDim.x - 1)
        for (unsigned i = 0; i < gridDim.x; i++)
            *total += part[i];
}

int main(void)
{
    int *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 10 * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, 10 * sizeof *d));
    sum_without_fences<<<8, 1>>>(d + 2, (unsigned *)d, d + 1);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

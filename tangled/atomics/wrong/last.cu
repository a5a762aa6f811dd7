/* wrong: check: race on global memory: .* in sum_without_fences */
#include "atomics/device.h"

/* add up without fences */
__global__ void sum_without_fences(int *part, unsigned *count, int *total)
{
    part[blockIdx.x] = 1;
    if (atomicAdd(count, 1) == gridDim.x - 1)
        for (unsigned i = 0; i < gridDim.x; i++)
            *total += part[i];
}

int main(void)
{
    int *d = (int *)to_device(NULL, 10 * sizeof *d);

    sum_without_fences<<<8, 1>>>(d + 2, (unsigned *)d, d + 1);
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

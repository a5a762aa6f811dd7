/* wrong: run: past the end of an allocation of 4000 bytes */
#include <stdio.h>

#include "kernels/launch.h"

__global__ void add_unguarded(const float *x, const float *y, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    z[i] = x[i] + y[i]; /* the guard should stand here */
}

enum { N = 1000, BYTES = N * sizeof(float), ENOUGH = 2 * BYTES };

int main(void)
{
    float *d_x, *d_z;

    CUDA_CHECK(cudaMalloc((void **)&d_x, ENOUGH)); /* so only z is short */
    CUDA_CHECK(cudaMalloc((void **)&d_z, BYTES));
    CUDA_CHECK(cudaMemset(d_x, 0, ENOUGH));
    add_unguarded<<<blocks_for(N, 256), 256>>>(d_x, d_x, d_z);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d_z));
    CUDA_CHECK(cudaFree(d_x));
    return 0;
}

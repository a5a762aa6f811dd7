/* wrong: check: uninitialised global memory: .* reads 4 bytes that nobody has written */
/* wrong: initcheck: [Uu]ninitialized __global__ memory read */
#include "kernels/launch.h"

__global__ void add_up(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]);
}

int main(void)
{
    int *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 33 * sizeof *d));
    CUDA_CHECK(cudaMemset(d + 32, 0, sizeof *d)); /* the sum, not the numbers */
    add_up<<<1, 32>>>(d, d + 32);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d));
    return 0;
}

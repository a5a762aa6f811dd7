/* wrong: check: uninitialized global memory: .* reads 4 bytes that nobody has written */
/* wrong: initcheck: Uninitialized __global__ memory read of size 4 bytes */
#include "kernels/launch.h"

/* add up what was never written */
__global__ void add_up(const unsigned *x, unsigned *sum)
{
    atomicAdd(sum, x[threadIdx.x]);
}

int main(void)
{
    unsigned *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 33 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a + 32, 0, sizeof *d_a)); /* the sum alone */
    add_up<<<1, 32>>>(d_a, d_a + 32);
    /* wait for the kernel */
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
}

/* wrong: check: race on shared memory: .*in swap_neighbors */
/* wrong: racecheck: Warning: Race reported between Write access at swap_neighbors */
#include "kernels/launch.h"

/* forget a barrier of the warp */
__global__ void swap_neighbors(unsigned *a)
{
    __shared__ unsigned row[64];
    unsigned t = threadIdx.x;

    row[t] = a[t];
    a[t] = row[t ^ 1]; /* __syncwarp() should stand between */
}

int main(void)
{
    /* take 64 zeros */
    unsigned *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 64 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a, 0, 64 * sizeof *d_a));
    swap_neighbors<<<1, 64>>>(d_a);
    /* wait for the kernel */
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
}

/* wrong: check: race on shared memory: thread .32,0,0. of block .0,0,0. writes what thread .31,0,0. .*has read */
/* wrong: racecheck: Error: Race reported between Write access at reverse_row */
#include "kernels/launch.h"

/* forget a barrier */
__global__ void reverse_row(unsigned *a)
{
    __shared__ unsigned row[64];
    unsigned t = threadIdx.x;

    row[t] = a[t];
    a[t] = row[63 - t]; /* written by a thread of the other warp */
}

int main(void)
{
    /* take 64 zeros */
    unsigned *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 64 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a, 0, 64 * sizeof *d_a));
    reverse_row<<<1, 64>>>(d_a);
    /* wait for the kernel */
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
}

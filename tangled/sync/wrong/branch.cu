/* wrong: run: divergent barrier: it is at .*while thread .0,0,0. waits at */
/* wrong: synccheck: Divergent thread.s. in block */
#include "kernels/launch.h"

/* meet in a branch */
__global__ void meet_in_a_branch(unsigned *a)
{
    if (threadIdx.x < 48) {
        a[threadIdx.x] = 1;
        __syncthreads(); /* threads 48 to 63 never come here ... */
    } else {
        __syncthreads(); /* ... they come here */
    }
    a[threadIdx.x] += 1;
}

int main(void)
{
    /* take 64 zeros */
    unsigned *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 64 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a, 0, 64 * sizeof *d_a));
    meet_in_a_branch<<<1, 64>>>(d_a);
    /* wait for the kernel */
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
}

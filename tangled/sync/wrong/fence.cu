/* wrong: check: race on global memory: .* reads what .* has written, in hand_over */
#include "kernels/launch.h"
#include "sync/order.cuh"

/* forget the release and the acquire */
__global__ void hand_over(unsigned *data, unsigned *flag, unsigned *ticket)
{
    if (atomicAdd(ticket, 1) == 0) {
        *data = 42;
        store_relaxed(flag, 1); /* a release should stand here */
    } else {
        while (load_relaxed(flag) == 0) /* and an acquire here */
            __nanosleep(50);
        data[1] = data[0];
    }
}

int main(void)
{
    /* take 64 zeros */
    unsigned *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 64 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a, 0, 64 * sizeof *d_a));
    hand_over<<<2, 1>>>(d_a, d_a + 2, d_a + 3);
    /* wait for the kernel */
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
}

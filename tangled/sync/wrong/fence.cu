/* wrong: check: race on global memory: .* reads what .* has written, in hand_over */
#include "kernels/launch.h"
#include "sync/order.cuh"

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
    unsigned *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 4 * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, 4 * sizeof *d));
    hand_over<<<2, 1>>>(d, d + 2, d + 3);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d));
    return 0;
}

/* wrong: check: race on global memory: .* in add_locked */
#include "atomics/device.h"

/* lock in shared memory */
__global__ void add_locked(unsigned *unused, int *total)
{
    __shared__ unsigned lock;

    (void)unused;
    if (threadIdx.x == 0) {
        lock = 0;
        while (atomicCAS(&lock, 0u, 1u) != 0)
            ;
        __threadfence();
        *total += 1;
        __threadfence();
        atomicExch(&lock, 0u);
    }
}

/* run a broken lock */
int main(void)
{
    unsigned *d = (unsigned *)to_device(NULL, 4 * sizeof *d);

    add_locked<<<8, 64>>>(d, (int *)d + 2);
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

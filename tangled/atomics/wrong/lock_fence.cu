/* wrong: check: race on global memory: .* in add_locked */
#include "atomics/device.h"

/* take and leave without fences */
__global__ void add_locked(unsigned *lock, int *total)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0u, 1u) != 0)
            ;
        *total += 1;
        atomicExch(lock, 0u);
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

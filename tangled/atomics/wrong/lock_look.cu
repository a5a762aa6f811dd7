/* wrong: check: race on global memory: .* in add_locked */
#include "atomics/device.h"

/* look and then take */
__global__ void add_locked(volatile unsigned *lock, int *total)
{
    if (threadIdx.x == 0) {
        while (*lock != 0)
            ;
        *lock = 1;
        *total += 1;
        *lock = 0;
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

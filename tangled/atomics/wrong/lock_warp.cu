/* wrong: run: (deadlock|does not end|spins|divergent) */
#include "atomics/lock.cuh"

/* meet inside the lock */
__global__ void add_locked(unsigned *lock, int *total)
{
    while (!lock_try(lock))
        __nanosleep(50);
    *total += 1;
    __syncwarp();
    lock_leave(lock);
}

/* run a broken lock */
int main(void)
{
    unsigned *d = (unsigned *)to_device(NULL, 4 * sizeof *d);

    add_locked<<<8, 64>>>(d, (int *)d + 2);
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

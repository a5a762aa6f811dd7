/* wrong: run: the kernel does not end: .*this thread spins */
#include "atomics/lock.cuh"

/* return inside the lock */
__global__ void add_locked(unsigned *lock, int *total)
{
    if (threadIdx.x == 0) {
        while (!lock_try(lock))
            __nanosleep(50);
        if (*total == 3)
            return;
        *total += 1;
        lock_leave(lock);
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

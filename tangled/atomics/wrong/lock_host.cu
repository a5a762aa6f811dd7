/* wrong: run: illegal memory access */
#include "atomics/lock.cuh"

__global__ void add_locked(unsigned *lock, int *total)
{
    while (!lock_try(lock))
        __nanosleep(50);
    *total += 1;
    lock_leave(lock);
}

int main(void)
{
    unsigned lock = 0;
    int *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof *d));
    add_locked<<<1, 1>>>(&lock, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

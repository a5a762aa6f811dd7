/* wrong: run: the kernel does not end: .*this thread spins */
#include "atomics/lock.cuh"

/* take two locks */
/* Moves 1 from one account to another, under both locks. */
__global__ void add_locked(unsigned *lock, int *account)
{
    int from = threadIdx.x / 32, to = 1 - from;

    if (threadIdx.x % 32 == 0)
        while (!lock_try(&lock[from]))
            __nanosleep(50);
    __syncthreads(); /* so that it fails every time */
    if (threadIdx.x % 32 == 0) {
        while (!lock_try(&lock[to]))
            __nanosleep(50);
        account[from]--;
        account[to]++;
        lock_leave(&lock[to]);
        lock_leave(&lock[from]);
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

/* ticket_lock.cu: threads of one warp wait for each other's turn. */
#include "tour/check.h"

struct ticket_lock {
    unsigned int next, serving;
};

__global__ void count(ticket_lock *lock, int *total)
{
    unsigned int mine = atomicAdd(&lock->next, 1u);

    while (atomicAdd(&lock->serving, 0u) != mine) {
    }
    __threadfence();
    *(volatile int *)total = *(volatile int *)total + 1;
    __threadfence();
    atomicAdd(&lock->serving, 1u);
}

/* count under the lock */
int main(void)
{
    ticket_lock *lock;
    int *total, result = 0;

    CHECK(cudaMalloc(&lock, sizeof *lock) == cudaSuccess, "cudaMalloc");
    CHECK(cudaMalloc(&total, sizeof *total) == cudaSuccess, "cudaMalloc");
    cudaMemset(lock, 0, sizeof *lock);
    cudaMemset(total, 0, sizeof *total);
    count<<<4, 32>>>(lock, total);
    CHECK(cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost) ==
              cudaSuccess,
          "the kernel failed");
    printf("counted %d\n", result);
    return result != 128;
}

/* ticket.cu: a sum in one launch; the last block adds up the blocks' sums. */
#include <stdio.h>

__device__ int ticket;

/* add up in the last block */
__global__ void sum(int *part, int *total)
{
    __shared__ int own, last;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    atomicAdd(&own, i);
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = own;
        __threadfence();
        last = atomicAdd(&ticket, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        *total = 0;
        for (unsigned int b = 0; b < gridDim.x; b++)
            *total += part[b];
    }
}

int main(void)
{
    enum { BLOCKS = 20, THREADS = 128, N = BLOCKS * THREADS };
    int *part, *total, result = 0;

    if (cudaMalloc(&part, BLOCKS * sizeof *part) != cudaSuccess ||
        cudaMalloc(&total, sizeof *total) != cudaSuccess)
        return 1;
    sum<<<BLOCKS, THREADS>>>(part, total);
    if (cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost) !=
        cudaSuccess)
        return 1;
    printf("the sum of 0 to %d is %d\n", N - 1, result);
    return result != N * (N - 1) / 2;
}

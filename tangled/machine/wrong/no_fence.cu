/* wrong: check: error: race on global memory: .* reads what .* has written */
/* The last block adds up, but nobody has put a fence before the ticket. */
__global__ void sum(float *part, int *ticket, float *total)
{
    __shared__ int last;

    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;
        last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned int i = 0; i < gridDim.x; i++)
            *total += part[i];
}

int main(void)
{
    float *part, *total;
    int *ticket;

    cudaMalloc(&part, 8 * sizeof *part);
    cudaMalloc(&total, sizeof *total);
    cudaMalloc(&ticket, sizeof *ticket);
    cudaMemset(total, 0, sizeof *total);
    cudaMemset(ticket, 0, sizeof *ticket);
    sum<<<8, 32>>>(part, ticket, total);
    return cudaDeviceSynchronize() != cudaSuccess;
}

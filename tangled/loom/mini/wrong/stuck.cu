/* wrong: run: error: deadlock: no thread can go on, and 1 of 4 have returned */
__global__ void stuck(void)
{
    if (threadIdx.x == 3)
        return;
    if (threadIdx.x == 1)
        __syncwarp(6); /* with thread 2 ... */
    __syncthreads();   /* ... which is here */
}

int main(void)
{
    stuck<<<1, 4>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}

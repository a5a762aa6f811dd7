/* wrong: check: race on global memory */
__global__ void turn(int *a)
{
    int lane = threadIdx.x;

    a[lane] = lane;
    __ballot_sync(~0u, 1);
    a[32 + lane] = a[31 - lane];
}

int main(void)
{
    int *a;

    if (cudaMalloc(&a, 64 * sizeof *a) != cudaSuccess)
        return 1;
    turn<<<1, 32>>>(a);
    return cudaDeviceSynchronize() != cudaSuccess;
}

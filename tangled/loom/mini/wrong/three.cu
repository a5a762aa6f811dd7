/* wrong: check: race on global memory */
__global__ void three(int *a)
{
    int lane = threadIdx.x;

    a[1 + lane] = a[0];
    if (lane == 1)
        return;
    __syncwarp(5); /* lanes 0 and 2 */
    if (lane == 0)
        a[0] = 7;
}

int main(void)
{
    int *a;

    if (cudaMalloc(&a, 4 * sizeof *a) != cudaSuccess)
        return 1;
    cudaMemset(a, 0, 4 * sizeof *a);
    three<<<1, 3>>>(a);
    return cudaDeviceSynchronize() != cudaSuccess;
}

/* wrong: check: race on global memory */
__global__ void alike(int *a)
{
    int lane = threadIdx.x;

    if (lane < 2)
        a[0] = 7;
    if (lane == 0)
        return;
    __syncwarp(6); /* lanes 1 and 2 */
    if (lane == 2)
        a[1] = a[0];
}

int main(void)
{
    int *a;

    if (cudaMalloc(&a, 2 * sizeof *a) != cudaSuccess)
        return 1;
    alike<<<1, 3>>>(a);
    return cudaDeviceSynchronize() != cudaSuccess;
}

/* wrong: check: error: shuffle from an inactive lane: .* asks lane 2[0-9] */
/* Twenty numbers, and the other lanes have nothing to do. */
__global__ void sum(int n, float *y)
{
    int lane = threadIdx.x;
    float v;

    if (lane >= n)
        return;
    v = y[lane];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0)
        y[0] = v;
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 32 * sizeof *y);
    cudaMemset(y, 0, 32 * sizeof *y);
    sum<<<1, 32>>>(20, y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

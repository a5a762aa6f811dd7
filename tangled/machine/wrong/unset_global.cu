/* wrong: check: error: uninitialised global memory: thread .0,0,0. .* reads 4 bytes */
/* Adds to sums that nobody has set to zero. */
__global__ void add(float *sum, const float *y)
{
    sum[threadIdx.x] += y[threadIdx.x];
}

int main(void)
{
    float *sum, *y;

    cudaMalloc(&sum, 64 * sizeof *sum);
    cudaMalloc(&y, 64 * sizeof *y);
    cudaMemset(y, 0, 64 * sizeof *y);
    add<<<1, 64>>>(sum, y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

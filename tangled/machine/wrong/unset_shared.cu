/* wrong: check: error: uninitialised shared memory: thread .0,0,0. .* reads 4 bytes */
/* Only a part of the tile is filled: the halo is not. */
__global__ void blur(float *y)
{
    __shared__ float row[66];
    int t = threadIdx.x;

    row[t + 1] = y[t];
    __syncthreads();
    y[t] = (row[t] + row[t + 1] + row[t + 2]) / 3;
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 64 * sizeof *y);
    cudaMemset(y, 0, 64 * sizeof *y);
    blur<<<1, 64>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

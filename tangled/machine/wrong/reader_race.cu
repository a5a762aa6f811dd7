/* wrong: check: error: race on shared memory: .* writes what .* has read */
/* One barrier is not enough in a loop: some still read when others write. */
__global__ void shift(float *y)
{
    __shared__ float row[64];
    int t = threadIdx.x;

    row[t] = y[t];
    for (int k = 0; k < 3; k++) {
        float next;

        __syncthreads();
        next = row[(t + 1) % 64];
        row[t] = next;
    }
    y[t] = row[t];
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 64 * sizeof *y);
    cudaMemset(y, 0, 64 * sizeof *y);
    shift<<<1, 64>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

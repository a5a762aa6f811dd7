/* wrong: check: error: out of bounds of 128 bytes of dynamic shared memory */
/* The launch gives bytes; the kernel needs floats. */
__global__ void turn(float *y)
{
    extern __shared__ float row[];

    row[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = row[127 - threadIdx.x];
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 128 * sizeof *y);
    cudaMemset(y, 0, 128 * sizeof *y);
    turn<<<1, 128, 128>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

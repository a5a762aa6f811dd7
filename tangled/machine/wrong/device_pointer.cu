/* wrong: check: error: device memory on the host: the host writes */
/* Fills an array of the device as if it were the host's. */
__global__ void twice(float *y)
{
    y[threadIdx.x] *= 2;
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 64 * sizeof *y);
    for (int i = 0; i < 64; i++)
        y[i] = 1;
    twice<<<1, 64>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

/* wrong: check: error: out of bounds: thread .40,0,0. of block .1,0,0. reads 4 bytes */
/* wrong: check: 0 bytes past the end of an allocation of 400 bytes made at .*:[0-9]+ */
/* A difference of neighbours: the last one has none. */
__global__ void differ(int n, float *d, const float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        d[i] = y[i + 1] - y[i];
}

int main(void)
{
    float *y, *d;

    cudaMalloc(&y, 100 * sizeof *y);
    cudaMalloc(&d, 100 * sizeof *d);
    cudaMemset(y, 0, 100 * sizeof *y);
    differ<<<2, 59>>>(100, d, y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

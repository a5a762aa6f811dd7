/* wrong: check: error: race on global memory: .* of block .1,0,0. reads what .* of block .0,0,0. has written */
/* Smooths in place: a block's first thread needs what another block writes. */
__global__ void smooth(float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float left = i > 0 ? y[i - 1] : 0;

    __syncthreads();
    y[i] = (left + y[i]) / 2;
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 256 * sizeof *y);
    cudaMemset(y, 0, 256 * sizeof *y);
    smooth<<<4, 64>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

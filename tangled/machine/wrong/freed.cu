/* wrong: check: error: use after free: .* reads 4 bytes */
/* Lets go of the input before the kernel has read it. */
__global__ void copy(float *to, const float *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

int main(void)
{
    float *from, *to;

    cudaMalloc(&from, 64 * sizeof *from);
    cudaMalloc(&to, 64 * sizeof *to);
    cudaMemset(from, 0, 64 * sizeof *from);
    cudaFree(from);
    copy<<<1, 64>>>(to, from);
    return cudaDeviceSynchronize() != cudaSuccess;
}

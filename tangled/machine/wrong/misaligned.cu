/* wrong: check: error: misaligned address: .* reads 16 bytes */
/* Four numbers at once, from where four numbers may not begin. */
__global__ void copy(float4 *to, const float *from)
{
    to[threadIdx.x] = *(const float4 *)(from + 4 * threadIdx.x + 1);
}

int main(void)
{
    float *from;
    float4 *to;

    cudaMalloc(&from, 65 * 4 * sizeof *from);
    cudaMalloc(&to, 64 * sizeof *to);
    cudaMemset(from, 0, 65 * 4 * sizeof *from);
    copy<<<1, 64>>>(to, from);
    return cudaDeviceSynchronize() != cudaSuccess;
}

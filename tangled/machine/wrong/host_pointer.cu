/* wrong: check: error: host memory in a kernel: .* reads 4 bytes */
/* Hands the kernel an array of the host. */
__global__ void copy(float *to, const float *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

int main(void)
{
    float *to, *from = (float *)calloc(64, sizeof *from);

    cudaMalloc(&to, 64 * sizeof *to);
    copy<<<1, 64>>>(to, from);
    return cudaDeviceSynchronize() != cudaSuccess;
}

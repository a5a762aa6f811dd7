/* wrong: check: race on shared memory */
/* wrong: check: no __syncwarp.. lies between */
/* Adds up in a warp, and trusts that its lanes walk in step. */
__global__ void sum(float *y)
{
    __shared__ float part[32];
    int lane = threadIdx.x;

    part[lane] = y[lane];
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        if (lane < d)
            part[lane] += part[lane + d];
    }
    y[lane] = part[0];
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 32 * sizeof *y);
    cudaMemset(y, 0, 32 * sizeof *y);
    sum<<<1, 32>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

/* wrong: compile: lacks __syncthreads so far */
__global__ void rotate(float *y)
{
    float mine = y[threadIdx.x];

    __syncthreads();
    y[(threadIdx.x + 1) % blockDim.x] = mine;
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 32 * sizeof *y);
    rotate<<<1, 32>>>(y);
}

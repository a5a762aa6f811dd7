/* wrong: compile: lacks __shared__ so far */
__global__ void reverse(float *y)
{
    __shared__ float tile[32];

    tile[threadIdx.x] = y[threadIdx.x];
    y[threadIdx.x] = tile[31 - threadIdx.x];
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 32 * sizeof *y);
    reverse<<<1, 32>>>(y);
}

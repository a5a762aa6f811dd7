/* wrong: check: error: race on shared memory: .* reads what .* has written */
/* Turns a row around, and forgets to wait for it. */
#include <stdio.h>

__global__ void turn(float *y)
{
    __shared__ float row[256];
    int t = threadIdx.x;

    row[t] = y[t];
    y[t] = row[255 - t];
}

int main(void)
{
    float *y;

    cudaMalloc(&y, 256 * sizeof *y);
    cudaMemset(y, 0, 256 * sizeof *y);
    turn<<<1, 256>>>(y);
    return cudaDeviceSynchronize() != cudaSuccess;
}

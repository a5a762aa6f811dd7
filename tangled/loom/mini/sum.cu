/* sum.cu: the sum of 256 numbers in one block, by halves. */
#include <stdio.h>

/* add up by halves */
__global__ void add_up(float *x)
{
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            x[threadIdx.x] += x[threadIdx.x + half];
        __syncthreads();
    }
}

int main(void)
{
    enum { N = 256 };
    float h[N], *x;

    for (int i = 0; i < N; i++)
        h[i] = (float)i;
    if (cudaMalloc(&x, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    add_up<<<1, N>>>(x);
    cudaMemcpy(h, x, sizeof *h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    printf("the sum of 0 to %d is %g\n", N - 1, (double)h[0]);
    return h[0] != N * (N - 1) / 2;
}

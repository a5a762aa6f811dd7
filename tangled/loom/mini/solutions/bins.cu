/* bins.cu: 256 threads count themselves in four bins. */
#include <stdio.h>

__global__ void fill(int *bins)
{
    atomicAdd(&bins[threadIdx.x % 4], 1);
}

int main(void)
{
    int h[4] = {0}, *bins;

    if (cudaMalloc(&bins, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(bins, h, sizeof h, cudaMemcpyHostToDevice);
    fill<<<1, 256>>>(bins);
    cudaMemcpy(h, bins, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(bins);
    printf("bins: %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    return h[0] != 64 || h[3] != 64;
}

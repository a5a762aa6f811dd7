/* cluster.cu: blocks in pairs hand a number to and fro. */
#include <stdio.h>

/* swap in pairs of blocks */
__global__ void swap_in_pairs(int *a)
{
    for (int k = 0; k < 100; k++) {
        int other = a[blockIdx.x ^ 1];

        cluster_barrier(2);
        if (threadIdx.x == 0)
            a[blockIdx.x] = other + 1;
        cluster_barrier(2);
    }
}

int main(void)
{
    int h[8], *a;

    for (int i = 0; i < 8; i++)
        h[i] = 1000 * i;
    if (cudaMalloc(&a, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    swap_in_pairs<<<8, 33>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (int i = 0; i < 8; i++)
        if (h[i] != 1000 * i + 100)
            return 1;
    puts("ok: four clusters of two blocks");
    return 0;
}

/* shift.cu: shift 64 numbers without a barrier; how many come out wrong? */
#include <stdio.h>

__global__ void shift(int n, int *a)
{
    int i = threadIdx.x;

    if (i < n - 1)
        a[i] = a[i + 1];
}

int main(void)
{
    int h[64], *a, wrong = 0;

    for (int i = 0; i < 64; i++)
        h[i] = i;
    if (cudaMalloc(&a, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    shift<<<1, 64>>>(64, a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (int i = 0; i < 63; i++)
        wrong += h[i] != i + 1;
    printf("%d of 63 are wrong\n", wrong);
    return 0;
}

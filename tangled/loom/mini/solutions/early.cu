/* early.cu: the host looks before and after it waits. */
#include <stdio.h>

__global__ void set(int *p, int value)
{
    *p = value;
}

int main(void)
{
    int *p, before;

    if (cudaMallocManaged(&p, sizeof *p) != cudaSuccess)
        return 1;
    *p = 1;
    set<<<1, 1>>>(p, 7);
    before = *p;
    cudaDeviceSynchronize();
    printf("before: %d, after: %d\n", before, *p);
    cudaFree(p);
    return 0;
}

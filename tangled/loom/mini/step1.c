/* step1.c: a launch of 4 blocks of 256 threads, written as two loops. */
#include <stdio.h>

static struct {
    int x;
} threadIdx, blockIdx, blockDim, gridDim;

/* scale one element, as a kernel does */
static void scale(int n, float a, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] *= a;
}

int main(void)
{
    float y[1000];

    for (int i = 0; i < 1000; i++)
        y[i] = (float)i;
    /* run the kernel for every thread of every block */
    gridDim.x = 4;
    blockDim.x = 256;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
            scale(1000, 2.0f, y);
    printf("y[0] = %g, y[999] = %g\n", (double)y[0], (double)y[999]);
    return y[999] == 1998.0f ? 0 : 1;
}

/* order.cu: a kernel whose result depends on the order of its threads. */
#include <stdio.h>

__global__ void add_left(int n, int *y, bool backwards)
{
    int t = backwards ? n - 1 - threadIdx.x : threadIdx.x;

    if (t > 0)
        y[t] += y[t - 1];
}

static int last(bool backwards)
{
    enum { N = 100 };
    int *y;

    if (cudaMallocManaged(&y, N * sizeof *y) != cudaSuccess)
        exit(1);
    for (int i = 0; i < N; i++)
        y[i] = 1;
    add_left<<<1, N>>>(N, y, backwards);
    if (cudaDeviceSynchronize() != cudaSuccess)
        exit(1);
    return y[N - 1];
}

/* compare the two orders */
int main(void)
{
    printf("forwards %d, backwards %d\n", last(false), last(true));
    return 0;
}

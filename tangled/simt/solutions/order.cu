/* order: a kernel that is wrong only if its blocks run in order. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* move up by one, in place */
/* One thread; the block's number comes as an argument. */
__global__ void move_up(int block, int *y)
{
    y[block + 1] = y[block];
}

enum { N = 100 };

static int right(int ascending)
{
    int h[N + 1], *d, good = 0;

    for (int i = 0; i <= N; i++)
        h[i] = i;
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof h));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    for (int b = 0; b < N; b++)
        move_up<<<1, 1>>>(ascending ? b : N - 1 - b, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 1; i <= N; i++)
        good += h[i] == i - 1;
    CUDA_CHECK(cudaFree(d));
    return good;
}

/* run both orders */
int main(int argc, char **argv)
{
    args_parse(argc, argv, "the order of blocks", NULL, 0);
    printf("ascending: %d of %d right; descending: %d\n", right(1), N,
           right(0));
    CHECK(right(1) == 1 && right(0) == N, "the order did not matter");
    return 0;
}

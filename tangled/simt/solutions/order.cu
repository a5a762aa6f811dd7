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

static int right(int ascending, int *y)
{
    int good = 0;

    for (int i = 0; i <= N; i++)
        y[i] = i;
    for (int b = 0; b < N; b++)
        move_up<<<1, 1>>>(ascending ? b : N - 1 - b, y);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 1; i <= N; i++)
        good += y[i] == i - 1;
    return good;
}

/* run both orders */
int main(int argc, char **argv)
{
    int *y, up, down;

    args_parse(argc, argv, "the order of blocks", NULL, 0);
    CUDA_CHECK(cudaMallocManaged((void **)&y, (N + 1) * sizeof *y));
    up = right(1, y);
    down = right(0, y);
    printf("ascending: %d of %d right; descending: %d\n", up, N, down);
    CHECK(up == 1 && down == N, "the order did not matter");
    CUDA_CHECK(cudaFree(y));
    return 0;
}

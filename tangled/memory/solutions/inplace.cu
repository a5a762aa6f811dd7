/* inplace: a square matrix transposed where it is. */
#include <stdio.h>

#include "memory/move.cuh"

/* change the places of two tiles */
__global__ void transpose_in_place(int n, float *x)
{
    __shared__ float a[32][33], b[32][33];
    int i0 = blockIdx.y * 32, j0 = blockIdx.x * 32, lane = threadIdx.x;

    if (j0 > i0)
        return; /* the whole block */
    for (int k = threadIdx.y; k < 32; k += 8) {
        if (i0 + k < n && j0 + lane < n)
            a[k][lane] = x[(size_t)(i0 + k) * n + j0 + lane];
        if (j0 + k < n && i0 + lane < n)
            b[k][lane] = x[(size_t)(j0 + k) * n + i0 + lane];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
        if (i0 + k < n && j0 + lane < n)
            x[(size_t)(i0 + k) * n + j0 + lane] = b[lane][k];
        if (j0 + k < n && i0 + lane < n)
            x[(size_t)(j0 + k) * n + i0 + lane] = a[lane][k];
    }
}

static void launch_in_place(int rows, int cols, const float *x, float *y)
{
    unsigned tiles = (unsigned)ceil_div(rows, 32);

    CHECK(rows == cols, "%d x %d is no square", rows, cols);
    CUDA_CHECK(cudaMemcpy(y, x, (size_t)rows * cols * sizeof *y,
                          cudaMemcpyDeviceToDevice));
    transpose_in_place<<<dim3(tiles, tiles), dim3(32, 8)>>>(rows, y);
}

int main(int argc, char **argv)
{
    static const struct move m = {"in place", launch_in_place, TURNED};
    struct arg args[] = {ARG_SIZE("n", 100, 0, 8192)};
    uint64_t seed =
        args_parse(argc, argv, "transpose in place", args, ARG_COUNT(args));
    int n = (int)args[0].value;

    try_moves(&m, 1, n, n, "all", seed);
    printf("ok: %d x %d transposed in place\n", n, n);
    return 0;
}

/* keep: the positive elements, side by side. */
#include <stdio.h>

#include "reduce/scan.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* mark and move */
__global__ void mark(int n, const float *x, float *is)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        is[i] = x[i] > 0;
}

__global__ void move(int n, const float *x, const float *place, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && x[i] > 0)
        y[(int)place[i]] = x[i];
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100003, 0, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "keep the positive", args, ARG_COUNT(args));
    int n = (int)args[0].value, kept = 0, blocks = blocks_for((size_t)n, 256);
    float *x = (float *)check_alloc(2 * (size_t)n, sizeof *x), *y = x + n, *d;
    struct scan_space s = scan_space_make((size_t)n);

    /* keep and compare */
    rng_fill_small(x, (size_t)n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, (3 * (size_t)n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    if (n > 0) {
        mark<<<blocks, 256>>>(n, d, d + n);
        scan_run(SCAN_ANY, (size_t)n, 1, d + n, d + n, &s, 0, 0);
        move<<<blocks, 256>>>(n, d, d + n, d + 2 * n);
        CUDA_LAUNCH_CHECK();
    }
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            x[kept++] = x[i];
    CUDA_CHECK(
        cudaMemcpy(y, d + 2 * n, kept * sizeof *d, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kept; i++)
        CHECK(y[i] == x[i], "place %d has %g, not %g", i, y[i], x[i]);
    printf("ok: %d of %d kept\n", kept, n);
    scan_space_free(&s);
    return 0;
}

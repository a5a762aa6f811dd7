/* fat.cu: y = a x + y, to have something to look into. */
#include <stdio.h>
#include <stdlib.h>

#include "stack/cuda_check.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* compute one element per thread */
/* y[i] += a * x[i] for each i < n; one thread per element */
__global__ void axpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = a * x[i] + y[i];
}

/* run it on the device */
/* Replaces y by a x + y, computed on the device; both have n elements. */
static void axpy_on_device(int n, float a, const float *x, float *y)
{
    size_t bytes = (size_t)n * sizeof *x;
    float *d_x, *d_y;

    CUDA_CHECK(cudaMalloc((void **)&d_x, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_y, bytes));
    CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
    axpy<<<(n + 255) / 256, 256>>>(n, a, d_x, d_y);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
}
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "y = 3 x + y", args, ARG_COUNT(args));
    int n = (int)args[0].value;
    float *x = (float *)check_alloc((size_t)n, sizeof *x);
    float *y = (float *)check_alloc((size_t)n, sizeof *y);
    float *want = (float *)check_alloc((size_t)n, sizeof *want);

    /* make vectors and the sums they should give */
    rng_fill_small(x, (size_t)n, seed);
    rng_fill_small(y, (size_t)n, seed + 1);
    for (int i = 0; i < n; i++)
        want[i] = 3.0f * x[i] + y[i];
    axpy_on_device(n, 3.0f, x, y);
    CHECK_ARRAY(y, want, (size_t)n);
    printf("fat: axpy of %d elements: all right\n", n);
    free(x);
    free(y);
    free(want);
    return 0;
}

/* dot: a dot product, within the bound of its own tree. */
#include <stdio.h>

#include "kernels/launch.h"
#include "reduce/block.cuh"
#include "reduce/bound.h"
#include "tour/args.h"
#include "tour/rng.h"

enum { BLOCKS = 64, THREADS = 256 };

__global__ void dot(size_t n, const float *x, const float *y, float *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        sum = fmaf(x[i], y[i], sum);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

/* run and check a dot product */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100003, 0, 1 << 26)};
    uint64_t seed =
        args_parse(argc, argv, "a dot product", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *h = (float *)check_alloc(2 * n, sizeof *h), *d, got;
    double exact = 0, all = 0, height = bound_height(n, BLOCKS * THREADS) + 64;

    for (size_t i = 0; i < 2 * n; i++)
        h[i] = 2 * rng_float(&seed) - 1;
    for (size_t i = 0; i < n; i++) {
        exact += (double)h[i] * h[n + i];
        all += fabs((double)h[i] * h[n + i]);
    }
    CUDA_CHECK(cudaMalloc((void **)&d, (2 * n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemset(d + 2 * n, 0, sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, 2 * n * sizeof *d, cudaMemcpyHostToDevice));
    dot<<<BLOCKS, THREADS>>>(n, d, d + n, d + 2 * n);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&got, d + 2 * n, 4, cudaMemcpyDeviceToHost));
    CHECK_NEAR(got, exact, bound_dot(n, height, BOUND_FLOAT, all), "its tree");
    printf("ok: %zu products\n", n);
    return 0;
}

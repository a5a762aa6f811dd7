/* relu: both kernels against the host. */
#include "measure/relu.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* check the kernel for floats */
static void check_float(size_t n, const float *x)
{
    float *y = (float *)check_alloc(4 * n, sizeof *y);
    float4 *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 32 * n));
    CUDA_CHECK(cudaMemcpy(d, x, 16 * n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d + n, 0xff, 16 * n));
    relu_float<<<blocks_for(n, 256), 256>>>(n, d, d + n);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(y, d + n, 16 * n, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < 4 * n; i++)
        CHECK(y[i] == (x[i] > 0 ? x[i] : 0), "float %zu: relu(%g) = %g", i,
              x[i], y[i]);
    CUDA_CHECK(cudaFree(d));
    free(y);
}

/* check the kernel for halves */
static void check_half(size_t n, const float *x)
{
    __half *h = (__half *)check_alloc(8 * n, sizeof *h);
    half8 *d;

    for (size_t i = 0; i < 8 * n; i++)
        h[i] = __float2half(x[i]);
    CUDA_CHECK(cudaMalloc((void **)&d, 32 * n));
    CUDA_CHECK(cudaMemcpy(d, h, 16 * n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d + n, 0xff, 16 * n));
    relu_half<<<blocks_for(n, 256), 256>>>(n, d, d + n);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d + n, 16 * n, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < 8 * n; i++)
        CHECK(__half2float(h[i]) == (x[i] > 0 ? x[i] : 0),
              "half %zu: relu(%g) = %g", i, x[i], __half2float(h[i]));
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 26)};
    uint64_t seed = args_parse(argc, argv, "check ReLU on n vectors", args,
                               ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = (float *)check_alloc(8 * n, sizeof *x);

    rng_fill_small(x, 8 * n, seed);
    check_float(n, x);
    check_half(n, x);
    printf("ok: %g operations per byte in float, %g in half\n",
           4 / (2.0 * sizeof(float4)), 8 / (2.0 * sizeof(half8)));
    free(x);
    return 0;
}

/* library: cuFFT beside the reference. */
#include <stdio.h>

#include "dft/library.cuh"
#include "dft/trial.h"
#include "tour/args.h"

/* compare a row with the library's */
/* The first `bins` of row got against want; x is the input of the forward
   transform, and the bound is `scale` times the definition's. */
static void compare_row(const char *what, int n, int bins, const struct cplx *x,
                        const struct cplx *want, const float2 *got,
                        double scale)
{
    double error = 0, bound = 0;

    for (int k = 0; k < bins; k++) {
        struct cplx size = dft_sizes(n, k, x);
        double re = got[k].x - want[k].re, im = got[k].y - want[k].im;

        error += re * re + im * im;
        bound += pow(dft_bound(n, size.re), 2) + pow(dft_bound(n, size.im), 2);
    }
    CHECK(sqrt(error) <= scale * sqrt(bound),
          "%s of %d: off by %.3g in all, where %.3g are allowed", what, n,
          sqrt(error), scale * sqrt(bound));
}

/* transform both ways by cuFFT */
static void try_library(int n, int batch, uint64_t seed)
{
    size_t count = (size_t)n * batch, bytes = count * sizeof(float2);
    struct cplx *x = cplx_random(count, seed), *want = cplx_alloc(n);
    float2 *h = (float2 *)check_alloc(count, sizeof *h), *d_x, *d_y;
    float2 *both = (float2 *)check_alloc(count, sizeof *h);
    cufftHandle plan;

    for (size_t i = 0; i < count; i++)
        h[i] = {(float)x[i].re, (float)x[i].im};
    CUDA_CHECK(cudaMalloc((void **)&d_x, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_y, bytes));
    CUDA_CHECK(cudaMemcpy(d_x, h, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, bytes));
    /* transform by cuFFT */
    CUFFT_CHECK(cufftPlan1d(&plan, n, CUFFT_C2C, batch));
    CUFFT_CHECK(cufftExecC2C(plan, d_x, d_y, CUFFT_FORWARD));
    CUFFT_CHECK(cufftExecC2C(plan, d_y, d_x, CUFFT_INVERSE));
    CUFFT_CHECK(cufftDestroy(plan));
    CUDA_CHECK(cudaMemcpy(h, d_y, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(both, d_x, bytes, cudaMemcpyDeviceToHost));
    for (int b = 0; b < batch; b++) {
        struct cplx *row = x + (size_t)b * n;

        dft(n, -1, row, want);
        compare_row("forward", n, n, row, want, h + (size_t)b * n, 1);
        for (int j = 0; j < n; j++)
            want[j].re = n * row[j].re, want[j].im = n * row[j].im;
        compare_row("back", n, n, row, want, both + (size_t)b * n, 2.0 * n);
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    free(x), free(want), free(h), free(both);
}

/* transform real samples by cuFFT */
static void try_real(int n, int batch, uint64_t seed)
{
    size_t count = (size_t)n * batch, bins = n / 2 + 1, out = bins * batch;
    struct cplx *x = cplx_random(count, seed), *want = cplx_alloc(n);
    float *h = (float *)check_alloc(count, sizeof *h), *d_x;
    float2 *y = (float2 *)check_alloc(out, sizeof *y), *d_y;
    cufftHandle plan;

    for (size_t i = 0; i < count; i++) {
        h[i] = (float)x[i].re;
        x[i].im = 0;
    }
    CUDA_CHECK(cudaMalloc((void **)&d_x, count * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_y, out * sizeof *y));
    CUDA_CHECK(cudaMemcpy(d_x, h, count * sizeof *h, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, out * sizeof *y));
    CUFFT_CHECK(cufftPlan1d(&plan, n, CUFFT_R2C, batch));
    CUFFT_CHECK(cufftExecR2C(plan, d_x, d_y));
    CUFFT_CHECK(cufftDestroy(plan));
    CUDA_CHECK(cudaMemcpy(y, d_y, out * sizeof *y, cudaMemcpyDeviceToHost));
    for (int b = 0; b < batch; b++) {
        dft(n, -1, x + (size_t)b * n, want);
        compare_row("real", n, (int)bins, x + (size_t)b * n, want, y + bins * b,
                    1);
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    free(x), free(want), free(h), free(y);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 45, 1, 4096),
                         ARG_SIZE("rows", 3, 1, 4096)};
    uint64_t seed = args_parse(argc, argv, "cuFFT", args, ARG_COUNT(args));
    int n = (int)args[0].value, rows = (int)args[1].value;

    try_library(n, rows, seed);
    try_real(n, rows, seed);
    printf("ok: %d rows of %d by the library, N times themselves after both "
           "directions\n",
           rows, n);
    return 0;
}

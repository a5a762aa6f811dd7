/* accuracy: the error of this chapter's transforms beside cuFFT's. */
#include <stdio.h>

#define FFT_COMPLEX
#include "dft/library.cuh"
#include "dft/trial.h"
#include "fft/plan.cuh"
#include "tour/args.h"

/* measure the error of a transform */
/* The distance of the transform d_y from the exact one, by its size. */
static double error_of(int n, const struct cplx *want, const float2 *d_y)
{
    float2 *y = (float2 *)check_alloc((size_t)n, sizeof *y);
    double off = 0, all = 0;

    CUDA_CHECK(cudaMemcpy(y, d_y, n * sizeof *y, cudaMemcpyDeviceToHost));
    for (int k = 0; k < n; k++) {
        off += pow(y[k].x - want[k].re, 2) + pow(y[k].y - want[k].im, 2);
        all += pow(want[k].re, 2) + pow(want[k].im, 2);
    }
    free(y);
    return sqrt(off / all);
}

/* compare the errors at a length */
/* Returns our error over what it may be. */
static double try_length(int n, uint64_t seed, double error[2])
{
    struct cplx *x = cplx_random((size_t)n, seed), *want = cplx_alloc(n);
    float2 *h = (float2 *)check_alloc((size_t)n, sizeof *h), *d_x, *d_y;
    struct fft_plan p = fft_plan_1d(n, FFT_C2C, 1);
    cufftHandle library;

    for (int i = 0; i < n; i++)
        h[i] = {(float)x[i].re, (float)x[i].im};
    fft_any(n, -1, x, want);
    CUDA_CHECK(cudaMalloc((void **)&d_x, n * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_y, n * sizeof *h));
    CUDA_CHECK(cudaMemcpy(d_x, h, n * sizeof *h, cudaMemcpyHostToDevice));
    fft_c2c(&p, n, d_x, d_y, FFT_FORWARD, 0);
    error[0] = error_of(n, want, d_y);
    CUFFT_CHECK(cufftPlan1d(&library, n, CUFFT_C2C, 1));
    CUFFT_CHECK(cufftExecC2C(library, d_x, d_y, CUFFT_FORWARD));
    error[1] = error_of(n, want, d_y);
    /* go forward and back */
    /* one plan for both directions, and nobody divides by n */
    CUFFT_CHECK(cufftExecC2C(library, d_y, d_y, CUFFT_INVERSE));
    for (int j = 0; j < n; j++)
        want[j].re = n * x[j].re, want[j].im = n * x[j].im;
    CHECK(error_of(n, want, d_y) < 4 * error[1] + 4 * BOUND_FLOAT,
          "%d points, forward and back, are not n times what they were", n);
    CUFFT_CHECK(cufftDestroy(library));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    fft_plan_free(&p);
    free(x), free(want), free(h);
    return error[0] / (1.5 * error[1] + BOUND_FLOAT);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 64, 1, FFT_MOST),
                         ARG_NUMBER("--below", 0, 0, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "errors beside cuFFT's", args, ARG_COUNT(args));
    int n = (int)args[0].value, below = (int)args[1].value, worst = n;
    double error[2], most = 0;

    for (int i = below ? 1 : n; i < (below ? below : n + 1); i++) {
        double share = try_length(i, seed + i, error);

        if (share > most) {
            most = share;
            worst = i;
        }
        CHECK(share <= 1, "%d points: off by %.3g, the library by %.3g", i,
              error[0], error[1]);
    }
    printf("ok: at %d points %.2f of what is allowed\n", worst, most);
    printf("forward and back is n times the input\n");
    if (!below)
        printf("ours %.3g, library %.3g\n", error[0], error[1]);
    return 0;
}

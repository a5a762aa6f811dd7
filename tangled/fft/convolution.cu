/* convolution: signals and images filtered on the device beside the sum. */
#include <stdio.h>

#ifdef __LOOM__
#define FFT_FEW
#endif
#define FFT_UNMIXED
#include "fft/filter.cuh"
#include "reduce/bound.h"
#include "reduce/unchanged.h"
#include "tour/args.h"
#include "tour/rng.h"

/* try overlap-save */
static void try_signal(int n, int taps, int length, uint64_t seed)
{
    float *x = (float *)check_alloc(2 * (size_t)n, sizeof *x);
    float *w = (float *)check_alloc((size_t)taps, sizeof *w);
    int out = n - taps + 1;
    float *y = (float *)check_alloc(2 * (size_t)out + 2, sizeof *y);
    struct fft_overlap f;
    float2 *d_x, *d_y;
    double total = 0;

    rng_fill_float(x, 2 * (size_t)n, seed);
    rng_fill_float(w, (size_t)taps, seed + 1);
    f = fft_overlap_make(taps, w, length);
    CUDA_CHECK(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    CUDA_CHECK(cudaMalloc((void **)&d_y, (out + 1) * sizeof *d_y));
    CUDA_CHECK(cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, (out + 1) * sizeof *d_y));
    fft_overlap_save(&f, n, d_x, d_y, 0);
    CUDA_CHECK(
        cudaMemcpy(y, d_y, (out + 1) * sizeof *d_y, cudaMemcpyDeviceToHost));
    for (int j = 0; j < taps; j++)
        total += w[j];
    for (int i = 0; i < 2 * out; i++) {
        double sum = 0;

        for (int j = 0; j < taps; j++)
            sum += (double)w[j] * x[i + 2 * (taps - 1 - j)];
        CHECK_NEAR(y[i], sum,
                   BOUND_FLOAT * (16 + 8 * log2(length)) * (1 + total) *
                       sqrt((double)length / taps),
                   "some roundings of each level, of the size of a piece");
    }
    CHECK(isnan(y[2 * out]), "overlap-save wrote behind %d numbers", out);
    check_unchanged(2 * (size_t)n, x, (float *)d_x);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    fft_overlap_free(&f);
    free(x), free(w), free(y);
}

/* try the filter of an image */
static void try_image(int h, int w, int r, int s, uint64_t seed)
{
    size_t n = (size_t)h * w;
    float *x = (float *)check_alloc(2 * n, sizeof *x);
    float *y = (float *)check_alloc(2 * n, sizeof *y);
    float *taps = (float *)check_alloc((size_t)r * s, sizeof *taps);
    struct fft_plan p;
    float *d_x, *d_y;

    rng_fill_float(x, 2 * n, seed);
    rng_fill_float(taps, (size_t)r * s, seed + 1);
    p = fft_plan_filter(h, w, r, s, taps, 2);
    CUDA_CHECK(cudaMalloc((void **)&d_x, 2 * n * sizeof *x));
    CUDA_CHECK(cudaMalloc((void **)&d_y, 2 * n * sizeof *x));
    CUDA_CHECK(cudaMemcpy(d_x, x, 2 * n * sizeof *x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, 2 * n * sizeof *x));
    fft_filter(&p, h, w, d_x, d_y, 0);
    CUDA_CHECK(cudaMemcpy(y, d_y, 2 * n * sizeof *y, cudaMemcpyDeviceToHost));
    for (int b = 0; b < 2; b++)
        for (int i = 0; i + r <= h; i++)
            for (int j = 0; j + s <= w; j++) {
                double sum = 0;

                for (int a = 0; a < r * s; a++)
                    sum += (double)taps[a] *
                           x[b * n + (size_t)(i + a / s) * w + j + a % s];
                CHECK_NEAR(y[b * n + (size_t)i * w + j], sum,
                           BOUND_FLOAT * (16 + 8 * log2(n)) * (1 + r * s),
                           "some roundings of each level, of the largest sum");
            }
    check_unchanged(2 * n, x, d_x);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    fft_plan_free(&p);
    free(x), free(y), free(taps);
}

int main(int argc, char **argv)
{
    struct arg args[] = {
        ARG_SIZE("n", 1000, 1, 1 << 24), ARG_SIZE("taps", 17, 1, 8192),
        ARG_SIZE("length", 64, 1, 8192), ARG_SIZE("h", 64, 1, 8192),
        ARG_SIZE("w", 48, 1, 8192),      ARG_SIZE("r", 5, 1, 8192),
        ARG_SIZE("s", 4, 1, 8192)};
    uint64_t seed =
        args_parse(argc, argv, "filters by transforms", args, ARG_COUNT(args));
    int v[7];

    for (int i = 0; i < 7; i++)
        v[i] = (int)args[i].value;
    try_signal(v[0], v[1], v[2], seed);
    try_image(v[3], v[4], v[5], v[6], seed);
    printf("ok: %d numbers by %d taps, %d x %d numbers by %d x %d\n", v[0],
           v[1], v[3], v[4], v[5], v[6]);
    return 0;
}

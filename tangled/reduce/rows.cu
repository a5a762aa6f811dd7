/* rows: softmax, mean and variance of the rows of a matrix. */
#include <stdio.h>

#include "reduce/reference.h"
#include "reduce/softmax.cuh"
#include "reduce/unchanged.h"
#include "reduce/welford.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* run on the rows of a matrix */
enum { MOMENTS = SOFTS, KINDS };

/* Results for x, rows x cols: a softmax, or means and then variances. */
static float *run_rows(int kind, int rows, int cols, const float *x)
{
    size_t n = (size_t)rows * cols, all = n + 2 * (size_t)rows + 64;
    size_t out = kind == MOMENTS ? 2 * (size_t)rows : n;
    float *y = (float *)check_alloc(all, sizeof *y), *d;

    CUDA_CHECK(cudaMalloc((void **)&d, (n + all) * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, (n + all) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d + all, x, n * sizeof *x, cudaMemcpyHostToDevice));
    if (kind == MOMENTS)
        moments_run(rows, cols, d + all, d, d + rows);
    else
        softmax_run((enum soft_how)kind, rows, cols, d + all, d);
    CUDA_CHECK(cudaMemcpy(y, d, all * sizeof *y, cudaMemcpyDeviceToHost));
    for (size_t i = out; i < all; i++)
        CHECK(isnan(y[i]), "kind %d wrote behind its results", kind);
    check_unchanged(n, x, d + all);
    CUDA_CHECK(cudaFree(d));
    return y;
}

/* check one row */
static void check_row(int kind, int cols, const float *x, const float *y,
                      const float *var)
{
    double *want = (double *)check_alloc((size_t)cols, sizeof *want), m, v;
    double least = x[0], most = x[0], e = bound_ulps(2, BOUND_FLOAT), large;
    double height = bound_height(cols, 32) + 10;

    for (int c = 0; c < cols; c++) {
        least = fmin(least, x[c]);
        most = fmax(most, x[c]);
    }
    large = fmax(fabs(least), fabs(most));
    softmax_reference((size_t)cols, x, want);
    moments_reference((size_t)cols, x, &m, &v);
    if (kind == MOMENTS) {
        /* compare mean and variance */
        CHECK_NEAR(*y, m,
                   bound_mean(height + 1, BOUND_FLOAT, large, most - least),
                   "mean");
        CHECK_NEAR(*var, v,
                   bound_variance(height + 1, BOUND_FLOAT, large, most - least),
                   "variance");
    }
    for (int c = 0; c < cols && kind != MOMENTS; c++)
        CHECK_NEAR(y[c], want[c],
                   bound_softmax(cols, height,
                                 kind == SOFT_ONLINE || kind == SOFT_FOUR
                                     ? height + 1
                                     : 0,
                                 most - least, e, BOUND_FLOAT, want[c]),
                   soft_names[kind]);
    free(want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rows", 37, 0, 1 << 20),
                         ARG_SIZE("cols", 1000, 1, 1 << 20),
                         ARG_SIZE("mean", 100, 0, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "rows of a matrix", args, ARG_COUNT(args));
    int rows = (int)args[0].value, cols = (int)args[1].value;

    /* try all kinds */
    float *x = (float *)check_alloc((size_t)rows * cols, sizeof *x);

    for (size_t i = 0; i < (size_t)rows * cols; i++)
        if (i / (size_t)cols % 2)
            x[i] = (float)args[2].value + 4 * rng_float(&seed) - 2;
        else
            x[i] = rng_below(&seed, 997) ? 100 * rng_float(&seed) - 50 : 1000;
    for (int kind = 0; kind < KINDS; kind++)
        if (kind != SOFT_HELD || cols <= SOFT_ITEMS * 1024) {
            float *y = run_rows(kind, rows, cols, x);

            for (int r = 0; r < rows; r++)
                check_row(kind, cols, x + (size_t)r * cols,
                          y + (kind == MOMENTS ? r : (size_t)r * cols),
                          y + rows + r);
            free(y);
        }
    printf("ok: %d rows of %d\n", rows, cols);
    return 0;
}

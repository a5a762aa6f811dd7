/* welford: mean and variance of the rows of a matrix, against the CPU. */
#include <stdio.h>

#include "reduce/bound.h"
#include "reduce/reference.h"
#include "reduce/unchanged.h"
#include "reduce/welford.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* check the moments */
static void check_moments(int rows, int cols, const float *x,
                          const float *mean, const float *var)
{
    double merges = bound_height(cols, 32) + 1 + 10;

    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * cols;
        double m, v, least = row[0], most = row[0], large;

        for (int c = 0; c < cols; c++) {
            least = fmin(least, row[c]);
            most = fmax(most, row[c]);
        }
        large = fmax(fabs(least), fabs(most));
        moments_reference((size_t)cols, row, &m, &v);
        CHECK_NEAR(mean[r], m,
                   bound_mean(merges, BOUND_FLOAT, large, most - least),
                   "bound of a mean");
        CHECK_NEAR(var[r], v,
                   bound_variance(merges, BOUND_FLOAT, large, most - least),
                   "bound of a variance");
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rows", 21, 0, 1 << 20),
                         ARG_SIZE("cols", 1000, 1, 1 << 24),
                         ARG_SIZE("mean", 100, 0, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "mean and variance of rows", args,
                               ARG_COUNT(args));
    int rows = (int)args[0].value, cols = (int)args[1].value;

    /* run and check the moments */
    size_t n = (size_t)rows * cols, out = 2 * (size_t)rows + 64;
    float *x = (float *)check_alloc(n, sizeof *x), *d;
    float *h = (float *)check_alloc(out, sizeof *h);

    for (size_t i = 0; i < n; i++)
        x[i] = (float)args[2].value + 4 * rng_float(&seed) - 2;
    CUDA_CHECK(cudaMalloc((void **)&d, (n + out) * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, (n + out) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d + out, x, n * sizeof *x, cudaMemcpyHostToDevice));
    moments_run(rows, cols, d + out, d, d + rows);
    CUDA_CHECK(cudaMemcpy(h, d, out * sizeof *h, cudaMemcpyDeviceToHost));
    check_moments(rows, cols, x, h, h + rows);
    for (size_t i = 2 * (size_t)rows; i < out; i++)
        CHECK(isnan(h[i]), "something was written behind the results");
    check_unchanged(n, x, d + out);
    CUDA_CHECK(cudaFree(d));
    free(x);
    free(h);
    printf("ok: %d rows of %d\n", rows, cols);
    return 0;
}

/* softmax: the rows of a matrix, three ways, against the CPU. */
#include <stdio.h>

#include "reduce/reference.h"
#include "reduce/softmax.cuh"
#include "reduce/unchanged.h"
#include "tour/args.h"
#include "tour/rng.h"

/* check the rows of a softmax */
/* Compares y with the softmax of each row of x; rescales as bound_softmax. */
static void check_rows_of(int rows, int cols, double rescales, const float *x,
                          const float *y)
{
    double *want = (double *)check_alloc((size_t)cols, sizeof *want);
    double e = bound_ulps(2, BOUND_FLOAT);

    for (int r = 0; r < rows; r++) {
        const float *row = x + (size_t)r * cols;
        double least = row[0], most = row[0];

        softmax_reference((size_t)cols, row, want);
        for (int c = 0; c < cols; c++) {
            least = fmin(least, row[c]);
            most = fmax(most, row[c]);
        }
        for (int c = 0; c < cols; c++)
            CHECK_NEAR(y[(size_t)r * cols + c], want[c],
                       bound_softmax(cols, bound_height(cols, 32) + 5,
                                     rescales, most - least, e, BOUND_FLOAT,
                                     want[c]),
                       "bound of a softmax");
    }
    free(want);
}

/* check a softmax */
static void check_softmax(enum soft_how how, int rows, int cols, uint64_t seed)
{
    size_t n = (size_t)rows * cols, all = n + 64;
    float *x = (float *)check_alloc(n, sizeof *x), *d;
    float *y = (float *)check_alloc(all, sizeof *y);
    double rescales = how == SOFT_ONLINE ? ceil(cols / 32.0) + 10 : 0;

    for (size_t i = 0; i < n; i++)
        x[i] = rng_below(&seed, 997) == 0 ? 1000 : 100 * rng_float(&seed) - 50;
    CUDA_CHECK(cudaMalloc((void **)&d, (n + all) * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, (n + all) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d + all, x, n * sizeof *x, cudaMemcpyHostToDevice));
    softmax_run(how, rows, cols, d + all, d);
    CUDA_CHECK(cudaMemcpy(y, d, all * sizeof *y, cudaMemcpyDeviceToHost));
    check_rows_of(rows, cols, rescales, x, y);
    for (size_t i = n; i < all; i++)
        CHECK(isnan(y[i]), "%s wrote behind the end", soft_names[how]);
    check_unchanged(n, x, d + all);
    CUDA_CHECK(cudaFree(d));
    free(x);
    free(y);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rows", 37, 0, 1 << 20),
                         ARG_SIZE("cols", 1000, 0, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "softmax of each row", args,
                               ARG_COUNT(args));
    int rows = (int)args[0].value, cols = (int)args[1].value;

    for (int how = 0; how < SOFTS; how++)
        if (how != SOFT_HELD || cols <= SOFT_ITEMS * 1024)
            check_softmax((enum soft_how)how, rows, cols, seed);
    printf("ok: %d rows of %d\n", rows, cols);
    return 0;
}

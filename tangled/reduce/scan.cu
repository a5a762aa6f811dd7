/* scan: running sums by each kernel, from and to each alignment. */
#include <stdio.h>
#include <string.h>

#include "reduce/reference.h"
#include "reduce/scan.cuh"
#include "reduce/unchanged.h"
#include "tour/args.h"
#include "tour/rng.h"

/* check a scan */
/* Compares got[0..n) with the scan of x, within the bound of each element. */
static void compare_scan(enum scan_how how, size_t n, int exclusive,
                         unsigned threads, unsigned blocks, const float *x,
                         const float *got)
{
    double *want = (double *)check_alloc(n, sizeof *want), sum = 0;
    double height = scan_height(how, n, threads, blocks);

    scan_reference(n, exclusive, x, want);
    for (size_t i = 0; i < n; i++) {
        double tol;

        sum += fabs(x[i]);
        tol = bound_sum(i + 1.0, height, BOUND_FLOAT, sum);
        CHECK(fabs(got[i] - want[i]) <= tol,
              "%s of %zu, element %zu: %.9g, want %.9g, tolerance %g",
              scan_names[how], n, i, got[i], want[i], tol);
    }
    free(want);
}
enum { MARGIN = 32 }; /* floats of poison on each side */

/* Scans x from offset `from` to offset `to`; from == -1: in place at `to`. */
static void check_scan(enum scan_how how, size_t n, int exclusive, int from,
                       int to, unsigned threads, unsigned blocks,
                       const float *x, float *d, struct scan_space *s)
{
    size_t all = n + 2 * MARGIN;
    float *d_y = d + MARGIN + to, *d_x = from < 0 ? d_y : d + all + from;
    float *h = (float *)check_alloc(all, sizeof *h);

    CUDA_CHECK(cudaMemset(d, 0xff, 2 * all * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice));
    scan_run(how, n, exclusive, d_x, d_y, s, threads, blocks);
    CUDA_CHECK(cudaMemcpy(h, d, all * sizeof *h, cudaMemcpyDeviceToHost));
    compare_scan(how, n, exclusive, threads, blocks, x, h + MARGIN + to);
    for (size_t i = 0; i < all; i++)
        CHECK(isnan(h[i]) ||
                  (i >= (size_t)(MARGIN + to) && i < (size_t)(MARGIN + to) + n),
              "%s wrote %g at %d, outside of %zu elements", scan_names[how],
              h[i], (int)i - MARGIN - to, n);
    if (from >= 0)
        check_unchanged(n, x, d_x);
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, 1 << 28),
                         ARG_SIZE("threads", 0, 0, SCAN_THREADS),
                         ARG_SIZE("blocks", 0, 0, SCAN_BLOCKS)};
    uint64_t seed =
        args_parse(argc, argv, "scans on the GPU", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = (float *)check_alloc(n, sizeof *x), *d;
    struct scan_space s = scan_space_make(n);

    CUDA_CHECK(cudaMalloc((void **)&d, 2 * (n + 2 * MARGIN) * sizeof *d));
    /* try every way of scanning */
    static const int places[][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, 3}, {-1, 2}};

    for (int how = 0; how < SCANS; how++)
        for (int k = 0; k < 5; k++)
            for (int exclusive = 0; exclusive < 2; exclusive++) {
                rng_fill_float(x, n, seed + (uint64_t)k);
                for (size_t i = 0; i < n; i += 3)
                    x[i] = -x[i];
                check_scan((enum scan_how)how, n, exclusive, places[k][0],
                           places[k][1], (unsigned)args[1].value,
                           (unsigned)args[2].value, x, d, &s);
            }
    printf("ok: %zu floats, %d ways, inclusive and exclusive\n", n, SCANS);
    CUDA_CHECK(cudaFree(d));
    scan_space_free(&s);
    return 0;
}

/* check_bound: do the bounds hold, and are they near? Do the steps count? */
#include <stdio.h>

#include "reduce/bound.h"
#include "reduce/reference.h"
#include "reduce/ulp.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* see a loop reach its bound */
static void reach(int n)
{
    double exact = 1 + (n - 1) * BOUND_FLOAT, bound, lost;
    float sum = 1;

    for (int i = 1; i < n; i++)
        sum += (float)BOUND_FLOAT;
    bound = bound_sum(n, n - 1, BOUND_FLOAT, exact);
    lost = fabs(sum - exact);
    CHECK(lost <= bound, "%d terms: off by %g, bound %g", n, lost, bound);
    CHECK(lost >= 0.99 * bound || n > 1000, "%d terms: a loose bound", n);
}

/* add up by a random tree */
/* Adds x[0..n) in a random order of pairs; *height gets the tree's height.
   Uses x as its work space. */
static float random_tree(int n, float *x, int *heights, int *height,
                         uint64_t *seed)
{
    memset(heights, 0, (size_t)n * sizeof *heights);
    for (int left = n; left > 1; left--) {
        int a = (int)rng_below(seed, (uint32_t)left - 1), b = a + 1;

        x[a] += x[b];
        heights[a] = 1 + (heights[a] > heights[b] ? heights[a] : heights[b]);
        memmove(x + b, x + b + 1, (size_t)(left - b - 1) * sizeof *x);
        memmove(heights + b, heights + b + 1,
                (size_t)(left - b - 1) * sizeof *heights);
    }
    *height = n > 0 ? heights[0] : 0;
    return n > 0 ? x[0] : 0;
}

/* try random sums */
/* One random sum of n terms of both signs and many sizes; returns its error as
   a share of the bound. */
static double try_sum(int n, float *x, int *heights, uint64_t *seed)
{
    double exact, sum_abs = 0, error, bound;
    int height;

    for (int i = 0; i < n; i++) {
        x[i] = ldexpf(rng_float(seed) - 0.4f, (int)rng_below(seed, 20) - 10);
        sum_abs += fabs(x[i]);
    }
    exact = sum_exact((size_t)n, x);
    error = fabs(random_tree(n, x, heights, &height, seed) - exact);
    bound = bound_sum(n, height, BOUND_FLOAT, sum_abs);
    CHECK(error <= bound, "%d terms, height %d: off by %g, bound %g", n, height,
          error, bound);
    return error / bound;
}

/* round to 11 digits */
/* x with its significand rounded to 11 binary digits, as half and TF32 have. */
static float to_11_digits(float x)
{
    volatile float large = x * 8193.0f, rest;

    rest = large - x; /* Dekker's splitting, with 2^13 + 1 */
    return large - rest;
}

/* try random products */
static void try_dot(int n, uint64_t *seed)
{
    double exact = 0, sum_abs = 0, alpha = -1.25, beta = 0.5;
    float sum = 0, fused = 0, rounded = 0, c = rng_float(seed), r;

    for (int i = 0; i < n; i++) {
        float a = rng_float(seed) - 0.5f, b = rng_float(seed) - 0.5f;

        exact += (double)a * b;
        sum_abs += fabs((double)a * b);
        sum += a * b;
        fused = fmaf(a, b, fused);
        rounded += to_11_digits(a) * to_11_digits(b);
    }
    r = (float)alpha * sum + (float)beta * c;
    CHECK_NEAR(sum, exact, bound_dot(n, n, BOUND_FLOAT, sum_abs), "bound");
    CHECK_NEAR(fused, exact, bound_dot(n, n, BOUND_FLOAT, sum_abs), "bound");
    CHECK_NEAR(rounded, exact,
               bound_dot_rounded(n, n, BOUND_FLOAT, BOUND_HALF, sum_abs),
               "bound");
    CHECK_NEAR(r, alpha * exact + beta * c,
               bound_gemm(n, n, BOUND_FLOAT, alpha, beta, sum_abs, c), "bound");
}

/* check some distances */
static void distances(void)
{
    CHECK(ulp_float(1, 1) == 0 && ulp_float(0.0f, -0.0f) == 0, "equal");
    CHECK(ulp_float(1, nextafterf(1, 2)) == 1, "neighbours above 1");
    CHECK(ulp_float(1, nextafterf(1, 0)) == 1, "neighbours below 1");
    CHECK(ulp_float(0x1p-149f, -0x1p-149f) == 2, "across zero");
    CHECK(ulp_float(1, 2) == 1 << 23, "2^23 steps from 1 to 2");
    CHECK(ulp_float(-INFINITY, INFINITY) == 2 * UINT64_C(0x7f800000), "all");
    CHECK(ulp_float(NAN, 1) == UINT64_MAX, "a NaN is near nothing");
    CHECK(ulp_double(1, nextafter(1, 2)) == 1, "neighbours, in double");
    CHECK(ulp_double(-1, 1) == 2 * UINT64_C(0x3ff0000000000000), "in double");
    CHECK(ulp_half(0x3c00, 0x3c01) == 1 && ulp_half(0x8000, 0) == 0, "half");
    CHECK(ulp_half(0x7c01, 0x7c01) == UINT64_MAX, "half: a NaN");
    CHECK(ulp_bf16(0x3f80, 0xbf80) == 2 * 0x3f80, "bfloat16");
    CHECK(ulp_bf16(0x7f81, 0) == UINT64_MAX, "bfloat16: a NaN");
    CHECK(ulp_size(1) == 0x1p-23 && ulp_size(-8) == 0x1p-20, "sizes");
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("trials", 3000, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "bounds against errors", args, ARG_COUNT(args));
    double nearest = 0;

    /* try all bounds */
    float x[300];
    int heights[300];

    distances();
    for (int n = 2; n < 2000; n++)
        reach(n);
    for (int64_t t = 0; t < args[0].value; t++) {
        int n = (int)rng_below(&seed, 301);

        nearest = fmax(nearest, try_sum(n, x, heights, &seed));
        try_dot(n, &seed);
    }
    printf("ok: no error above its bound; a loop reaches it, random sums come "
           "to %.0f%% of it\n",
           100 * nearest);
    return 0;
}

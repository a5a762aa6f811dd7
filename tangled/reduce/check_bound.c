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

/* try random sums */
static float random_tree(int n, const float *x, int *height, uint64_t *seed)
{
    int left, a = 0, b = 0;
    float sum;

    *height = 0;
    if (n < 2)
        return n ? x[0] : 0;
    left = 1 + (int)rng_below(seed, (uint32_t)n - 1);
    sum = random_tree(left, x, &a, seed);
    sum += random_tree(n - left, x + left, &b, seed);
    *height = 1 + (a > b ? a : b);
    return sum;
}
/* One random sum of n terms; returns its error as a share of the bound. */
static double try_sum(int n, float *x, uint64_t *seed)
{
    double abs_sum = 0, error, bound;
    int height;

    for (int i = 0; i < n; i++) {
        x[i] = ldexpf(rng_float(seed) - 0.4f, (int)rng_below(seed, 20) - 10);
        abs_sum += fabs(x[i]);
    }
    error = fabs(random_tree(n, x, &height, seed) - sum_exact((size_t)n, x));
    bound = bound_sum(n, height, BOUND_FLOAT, abs_sum);
    CHECK(error <= bound, "%d terms, height %d: off by %g, bound %g", n, height,
          error, bound);
    return n ? error / bound : 0;
}

/* try random products */
/* x with its significand rounded to 11 binary digits, as half and TF32 have. */
static float to_11_digits(float x)
{
    volatile float large = x * 8193.0f, rest = large - x; /* 2^13 + 1 */

    return large - rest;
}

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
    /* compare the products with their bounds */
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
    CHECK(ulp_float(1, nextafterf(1, 2)) == 1, "neighbors above 1");
    CHECK(ulp_float(1, nextafterf(1, 0)) == 1, "neighbors below 1");
    CHECK(ulp_float(0x1p-149f, -0x1p-149f) == 2, "across zero");
    CHECK(ulp_float(1, 2) == 1 << 23, "2^23 steps from 1 to 2");
    CHECK(ulp_float(-INFINITY, INFINITY) == 2 * UINT64_C(0x7f800000), "all");
    CHECK(ulp_float(NAN, 1) == UINT64_MAX, "a NaN is near nothing");
    CHECK(ulp_float(1, NAN) == UINT64_MAX, "whichever of the two");
    CHECK(ulp_double(NAN, 1) == UINT64_MAX, "nor in double");
    CHECK(ulp_double(1, NAN) == UINT64_MAX, "whichever of the two");
    CHECK(ulp_double(1, nextafter(1, 2)) == 1, "neighbors, in double");
    CHECK(ulp_double(-1, 1) == 2 * UINT64_C(0x3ff0000000000000), "in double");
}

/* check known bounds */
static void known(void)
{
    static const float far[] = {0x1p60f, 1, -0x1p60f, 2, 0x1p60f};
    const double known[][2] = {
        {bound_gamma(1000, 0x1p-12), 0.32299741602},
        {bound_sum(1000, 10, 0x1p-12, 3), 0.0073421509084},
        {bound_sum(9, 8, 0x1p-5, 3), 0.75000071526},
        {bound_sum(1, 5, 0x1p-5, 3), 3.3306722502e-16},
        {bound_sum(5, 3, 0, 0x1p-73), 1.1754954719e-37},
        {bound_height(1000, 32), 36},
        {bound_height(10, 32), 5},
        {bound_dot(1000, 10, 0x1p-12, 3), 0.0080783430778},
        {bound_dot(5, 3, 0, 0x1p-73), 1.880792755e-37},
        {bound_dot_rounded(7, 3, 0x1p-10, 0x1p-8, 2), 0.023560071488},
        {bound_dot_rounded(7, 3, 0, 0, 2), 1.7763585335e-15},
        {bound_gemm(9, 4, 0x1p-10, -1.5, 2.5, 3, -7), 0.065220088869},
        {bound_gemm(9, 4, 0, -1.5, 2.5, 0x1p-73, -0x1p-73), 8.4635673974e-37},
        {bound_ulps(3, 0.5), 3.5},
        {bound_softmax(100, 7, 3, 5, 0x1p-10, 0x1p-12, 0.25), 0.002529320355},
        {bound_softmax(100, 7, 0, 5, 0, 0, 0x1p-73), 5.1721800762e-36},
        {bound_mean(6, 0x1p-10, 3, 2), 0.059326228461},
        {bound_mean(1, 0x1p-7, 3, 2), 0.079101637945},
        {bound_mean(0, 0, 3, 2), 8.1854601222e-12},
        {bound_variance(6, 0x1p-10, 3, 2), 1.8843508866},
        {bound_variance(2, 0, 3, 2), 9.8225615143e-11},
    };

    for (int i = 0; i < (int)(sizeof known / sizeof known[0]); i++)
        CHECK(fabs(known[i][0] - known[i][1]) <= 1e-9 * known[i][1],
              "bound %d is %.11g, not %.11g", i, known[i][0], known[i][1]);
    CHECK(sum_exact(3, far) == 1 && sum_exact(3, far + 2) == 2, "not exact");
    CHECK(isinf(bound_gamma(4096, 0x1p-12)), "no bound for so many terms");
    CHECK(isinf(bound_mean(2, 0x1p-7, 3, 2)), "nor for so many merges");
    CHECK(isinf(bound_softmax(1000, 999, 0, 1, 0, 0x1p-10, 1)), "nor here");
}

/* try all bounds */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("trials", 3000, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "bounds against errors", args, ARG_COUNT(args));
    double nearest = 0;
    float x[300];

    distances();
    known();
    for (int n = 2; n < 2000; n++)
        reach(n);
    for (int64_t t = 0; t < args[0].value; t++) {
        int n = (int)rng_below(&seed, 301);

        nearest = fmax(nearest, try_sum(n, x, &seed));
        try_dot(n, &seed);
    }
    printf("ok: no error above its bound; a loop reaches it, random sums come "
           "to %.0f%% of it\n",
           100 * nearest);
    return 0;
}

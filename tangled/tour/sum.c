/* sum: add the same numbers in two orders */
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* add by halves */
static float sum_by_halves(const float *x, size_t n)
{
    size_t half = n / 2;

    if (n == 0)
        return 0;
    if (n == 1)
        return x[0];
    return sum_by_halves(x, half) + sum_by_halves(x + half, n - half);
}

/* add one after the other */
static float sum_in_order(const float *x, size_t n)
{
    float sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* count the depth */
static int depth_of_halves(size_t n)
{
    return n <= 1 ? 1 : 1 + depth_of_halves(n - n / 2);
}

/* check sums that are exact */
static void check_exact(float *x, size_t n, uint64_t seed)
{
    long long want = 0;

    rng_fill_small(x, n, seed);
    for (size_t i = 0; i < n; i++)
        want += (long long)x[i];
    CHECK(sum_in_order(x, n) == (float)want, "in order: %g, want %lld",
          (double)sum_in_order(x, n), want);
    CHECK(sum_by_halves(x, n) == (float)want, "by halves: %g, want %lld",
          (double)sum_by_halves(x, n), want);
}

/* check sums that are rounded */
static void check_rounded(float *x, size_t n, uint64_t seed)
{
    double want = 0, u = ldexp(1, -24), order, halves;
    int depth = depth_of_halves(n);

    rng_fill_float(x, n, seed);
    for (size_t i = 0; i < n; i++)
        want += x[i];
    order = sum_in_order(x, n);
    halves = sum_by_halves(x, n);
    CHECK_NEAR(order, want, (double)n * u * want,
               "n additions, each rounds by 2^-24 of the sum at most");
    CHECK_NEAR(halves, want, depth * u * want,
               "a number passes through `depth` additions");
    printf("%zu numbers: in order off by %.2g, by halves by %.2g (depth %d)\n",
           n, fabs(order - want), fabs(halves - want), depth);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000000, 0, 1 << 22)};
    uint64_t seed = args_parse(argc, argv, "add the same numbers in two orders",
                               args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = check_alloc(n, sizeof *x);

    check_exact(x, n, seed);
    check_rounded(x, n, seed);
    free(x);
    return 0;
}

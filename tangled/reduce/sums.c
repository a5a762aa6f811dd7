/* sums: the same numbers added up in ten orders, each against its bound. */
#include <stdio.h>

#include "reduce/orders.h"
#include "reduce/reference.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* check known sums */
static void known_sums(void)
{
    enum { N = 3000 };
    static const struct {
        float sum;
        double bound;
    } known[ORDERS] = {
        {1490.37915f, 0.0001787545},   {1490.37964f, 0.0001787545},
        {1490.37939f, 0.0001787545},   {1490.38074f, 0.0001787545},
        {1490.37891f, 7.15257264e-07}, {1490.37866f, 5.84129521e-06},
        {1490.37903f, 6.10985523e-05}, {1490.37878f, 1.13249095e-06},
        {1490.37878f, 1.78867396e-07}, {1490.37878f, 5.96050347e-08},
    };
    static const float far[] = {0x1p30f, 1, -0x1p30f};
    float x[N], *sorted;

    CHECK(order_sum(8, 3, far, far) == 0 && order_sum(9, 3, far, far) == 1,
          "in double alone the 1 is not lost");
    for (int i = 0; i < N; i++)
        x[i] = ldexpf(1.0f / (float)(i * 37 % 101 + 1), i % 13 - 6);
    sorted = sorted_copy(N, x);
    for (int k = 0; k < ORDERS; k++) {
        float sum = order_sum(k, N, x, sorted);
        double bound = order_bound(k, N, 1);

        CHECK(sum == known[k].sum, "%s: %.9g, not %.9g", order_names[k], sum,
              known[k].sum);
        CHECK(order_sum(k, 0, x, sorted) == 0, "a sum of nothing");
        CHECK_NEAR(bound, known[k].bound, 1e-7 * known[k].bound, "a bound");
    }
    free(sorted);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1 << 20, 1, 1 << 28)};
    uint64_t seed =
        args_parse(argc, argv, "sums in ten orders", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = (float *)check_alloc(n, sizeof *x), *sorted;
    double exact;

    known_sums();
    rng_fill_float(x, n, seed);
    sorted = sorted_copy(n, x);
    exact = sum_exact(n, x);
    printf("%zu floats, exact sum %.9g\n", n, exact);
    for (int k = 0; k < ORDERS; k++) {
        /* show one order */
        double sum = order_sum(k, n, x, sorted), off = fabs(sum - exact);
        double bound = order_bound(k, n, exact);

        printf("%-9s %12.3f, off by %8.2e, bound %8.2e\n", order_names[k], sum,
               off / exact, bound / exact);
        CHECK(off <= bound, "%s is off by %g", order_names[k], off);
    }
    free(x);
    free(sorted);
    return 0;
}

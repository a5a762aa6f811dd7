/* check_stats: the statistics of stats.h on data with known answers. */
#include <stdio.h>

#include "measure/stats.h"
#include "tour/args.h"
#include "tour/rng.h"

/* compare with the expected number */
static void expect(const char *what, double got, double want)
{
    CHECK(fabs(got - want) <= 1e-12 * fabs(want), "%s is %.17g, not %.17g",
          what, got, want);
}

/* check four numbers */
static void check_four(void)
{
    double x[4] = {10, 1, 3, 2};
    struct stats s = stats_of(x, 4);

    expect("minimum", s.min, 1);
    expect("first quartile", s.q1, 1.75);
    expect("median", s.median, 2.5);
    expect("third quartile", s.q3, 4.75);
    expect("maximum", s.max, 10);
    expect("the first sample, afterwards", x[0], 10);
    expect("median of one value", stats_of(x, 1).median, 10);
}

/* check a shuffled ramp */
static void check_ramp(int n, uint64_t seed)
{
    double *x = (double *)check_alloc((size_t)n, sizeof *x);
    struct stats s;

    for (int i = 0; i < n; i++)
        x[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)rng_below(&seed, (uint32_t)i + 1);
        double t = x[i];

        x[i] = x[j];
        x[j] = t;
    }
    s = stats_of(x, n);
    expect("first quartile of the ramp", s.q1, 0.25 * (n - 1));
    expect("median of the ramp", s.median, 0.5 * (n - 1));
    expect("third quartile of the ramp", s.q3, 0.75 * (n - 1));
    free(x);
}

/* check ratios by pairs */
static void check_ratio(void)
{
    double fast[6] = {10, 11, 10, 20, 22, 20};
    double slow[6] = {20, 22, 20, 40, 44, 40};

    expect("ratio by pairs", stats_ratio(slow, fast, 6).median, 2);
    expect("its inverse", stats_ratio(fast, slow, 6).median, 0.5);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 101, 1, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "check the statistics of stats.h",
                               args, ARG_COUNT(args));
    int n = (int)args[0].value;

    check_four();
    check_ramp(n, seed);
    check_ratio();
    printf("ok: quantiles of 4 and of %d values, ratios by pairs\n", n);
    return 0;
}

/* stats.h: what a handful of timings says. Plain C11 that is C++17 too. */
#ifndef MEASURE_STATS_H
#define MEASURE_STATS_H

#include "tour/check.h"

/* hold the five numbers of a sample */
/* The five-number summary of a sample, in the sample's own unit. */
struct stats {
    int n;
    double min, q1, median, q3, max;
};

/* sort numbers */
static inline int stats_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* find a quantile */
/* The q-quantile (0 <= q <= 1) of n >= 1 values in rising order, with linear
   interpolation between neighbors: definition 7 of Hyndman and Fan, 1996. */
static inline double stats_quantile(const double *sorted, int n, double q)
{
    double place, part;
    int below;

    CHECK(n >= 1 && q >= 0 && q <= 1, "quantile %g of %d values", q, n);
    place = q * (n - 1);
    below = (int)place;
    if (below >= n - 1)
        return sorted[n - 1];
    part = place - below;
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

/* summarize a sample */
/* Summarizes x[0..n), n >= 1; x is left as it was. Refuses NaN. */
static inline struct stats stats_of(const double *x, int n)
{
    struct stats s;
    double *y;

    CHECK(n >= 1, "a sample of %d values has no median", n);
    y = (double *)check_alloc((size_t)n, sizeof *y);
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int i = 0; i < n; i++)
        CHECK(y[i] == y[i], "sample %d of %d is not a number", i, n);
    qsort(y, (size_t)n, sizeof *y, stats_order);
    s.n = n;
    s.min = y[0];
    s.q1 = stats_quantile(y, n, 0.25);
    s.median = stats_quantile(y, n, 0.5);
    s.q3 = stats_quantile(y, n, 0.75);
    s.max = y[n - 1];
    free(y);
    return s;
}

/* compare two samples pair by pair */
/* Summarizes a[i] / b[i] over n >= 1 pairs; every b[i] must be positive. */
static inline struct stats stats_ratio(const double *a, const double *b, int n)
{
    struct stats s;
    double *quotient;

    CHECK(n >= 1, "%d pairs have no ratio", n);
    quotient = (double *)check_alloc((size_t)n, sizeof *quotient);
    for (int i = 0; i < n; i++) {
        CHECK(b[i] > 0, "sample %d is %g: cannot divide by it", i, b[i]);
        quotient[i] = a[i] / b[i];
    }
    s = stats_of(quotient, n);
    free(quotient);
    return s;
}

#endif

/* pvalue.h: how surprising is a count? */
#ifndef RANDOM_PVALUE_H
#define RANDOM_PVALUE_H

#include <math.h>

#include "tour/check.h"

/* integrate the tail of a gamma distribution */
/* Q(a, x), a > 0. Abramowitz and Stegun, 6.5.29 and 6.5.31, the fraction by
   Lentz's method. */
static inline double pvalue_gamma(double a, double x)
{
    double front = exp(a * log(x) - x - lgamma(a)), sum = 1 / a, term = 1 / a;
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;

    if (x <= 0)
        return 1;
    if (x < a + 1) {
        for (double n = a + 1; term > 1e-17 * sum; n++)
            sum += term *= x / n;
        return 1 - front * sum;
    }
    for (int i = 1; i < 100000 && fabs(c * d - 1) > 1e-16; i++) {
        double even = -i * (i - a);

        b += 2;
        d = 1 / (even * d + b);
        c = b + even / c;
        h *= c * d;
    }
    return front * h;
}

/* judge the cells of a histogram */
/* The p-value of counts[0..cells) against want[0..cells), whose sums agree. 1
   cell is never a surprise. */
static inline double pvalue_counts(const double *count, const double *want,
                                   int cells)
{
    double x = 0;

    for (int i = 0; i < cells; i++)
        x += (count[i] - want[i]) * (count[i] - want[i]) / want[i];
    return cells < 2 ? 0.5 : pvalue_gamma((cells - 1) / 2.0, x / 2);
}

/* judge equal cells */
/* The same, if all cells expect the same share of n. */
static inline double pvalue_even(const double *count, int cells, double n)
{
    double *want = (double *)check_alloc((size_t)cells, sizeof *want), p;

    for (int i = 0; i < cells; i++)
        want[i] = n / cells;
    p = pvalue_counts(count, want, cells);
    free(want);
    return p;
}

#endif

/* reference.h: what the kernels of this chapter compute, in double. */
#ifndef REDUCE_REFERENCE_H
#define REDUCE_REFERENCE_H

#include <math.h>
#include <stddef.h>

/* add up exactly enough */
/* The sum of x[0..n), exact to about 2^-53 of it, and of absolute values. */
static inline double sum_exact(size_t n, const float *x)
{
    double sum = 0, lost = 0;

    for (size_t i = 0; i < n; i++) {
        double t = sum + x[i];

        lost += fabs(sum) >= fabs(x[i]) ? (sum - t) + x[i] : (x[i] - t) + sum;
        sum = t;
    }
    return sum + lost;
}

/* add up absolute values */
static inline double sum_abs(size_t n, const float *x)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += fabs(x[i]);
    return sum;
}

/* scan, normalize and measure the spread on the CPU */
/* y[i] = the sum of x[0..i], or of x[0..i) when exclusive. */
static inline void scan_reference(size_t n, int exclusive, const float *x,
                                  double *y)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        double before = sum;

        sum += x[i];
        y[i] = exclusive ? before : sum;
    }
}

/* y = softmax of x[0..n). */
static inline void softmax_reference(size_t n, const float *x, double *y)
{
    double most = -INFINITY, sum = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    for (size_t i = 0; i < n; i++)
        sum += y[i] = exp(x[i] - most);
    for (size_t i = 0; i < n; i++)
        y[i] /= sum;
}

/* Mean, and mean squared distance from it (0 and 0 for n = 0). */
static inline void moments_reference(size_t n, const float *x, double *mean,
                                     double *var)
{
    double m = n ? sum_exact(n, x) / (double)n : 0, sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (x[i] - m) * (x[i] - m);
    *mean = m;
    *var = n ? sum / (double)n : 0;
}

#endif

/* steps.h: how wrong is a difference quotient? C11 and C++17. */
#ifndef GRAD_STEPS_H
#define GRAD_STEPS_H

#include <math.h>
#include <stdlib.h>

/* take differences of the exponential */
/* The slope of exp at x with the step h, to both sides or to one. */
static inline double slope_float(double x, double h, int central)
{
    float hi = (float)(x + h), lo = central ? (float)(x - h) : (float)x;

    return hi == lo ? 0 : (double)((expf(hi) - expf(lo)) / (hi - lo));
}

static inline double slope_double(double x, double h, int central)
{
    double hi = x + h, lo = central ? x - h : x;

    return hi == lo ? 0 : (exp(hi) - exp(lo)) / (hi - lo);
}

/* find the error of a difference */
enum { STEPS_FLOAT, STEPS_DOUBLE, STEPS_MOST = 56, STEPS_POINTS = 129 };

static inline int steps_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median relative error of differences of exp in [0, 1], h = 2^-k. */
static inline double steps_error(int type, int central, int k)
{
    double error[STEPS_POINTS], h = ldexp(1, -k);

    for (int i = 0; i < STEPS_POINTS; i++) {
        double x = (double)i / (STEPS_POINTS - 1);
        double slope = type == STEPS_FLOAT ? slope_float(x, h, central)
                                           : slope_double(x, h, central);

        error[i] = fabs(slope / exp(x) - 1);
    }
    qsort(error, STEPS_POINTS, sizeof *error, steps_order);
    return error[STEPS_POINTS / 2];
}

/* find the best step */
/* The error derived for the best step, and the k of that step: measured, and
   as derived. For f = f'' = f''': exp. */
static inline double steps_least(int type, int central)
{
    double u = type == STEPS_FLOAT ? 0x1p-24 : 0x1p-53;

    return central ? cbrt(9 * u * u) / 2 : 2 * sqrt(u);
}

static inline int steps_best(int type, int central, double *derived)
{
    double u = type == STEPS_FLOAT ? 0x1p-24 : 0x1p-53;
    int best = 1;

    *derived = -log2(central ? cbrt(3 * u) : 2 * sqrt(u));
    for (int k = 2; k <= STEPS_MOST; k++)
        if (steps_error(type, central, k) < steps_error(type, central, best))
            best = k;
    return best;
}

#endif

/* bound.h: how far a correct result may be from its reference. C11, C++17.
   Every bound b is such that |computed - reference| <= b, if each operation of
   the computation is rounded to nearest with unit roundoff u (or is a fused
   multiply-add), and the reference was computed in double, in any order, from
   the same inputs; at most 2^30 terms. They are bounds, not estimates: a result
   outside is wrong. Higham, "Accuracy and Stability of Numerical Algorithms",
   2002, chapters 3 and 4. */
#ifndef REDUCE_BOUND_H
#define REDUCE_BOUND_H

#include <math.h>

/* name the unit roundoffs */
#define BOUND_DOUBLE 0x1p-53 /* 53 binary digits */
#define BOUND_FLOAT 0x1p-24  /* 24 */
#define BOUND_HALF 0x1p-11   /* 11 */
#define BOUND_TF32 0x1p-11   /* 11, with the range of float */
#define BOUND_BF16 0x1p-8    /* 8, with the range of float */
#define BOUND_TINY 0x1p-126  /* what a product or quotient may lose besides */

/* bound n roundings */
/* gamma_n: n factors (1 + delta), |delta| <= u, multiply to 1 + theta with
   |theta| <= gamma_n. Infinite when n u >= 1. */
static inline double bound_gamma(double n, double u)
{
    return n * u < 1 ? n * u / (1 - n * u) : INFINITY;
}

static inline double bound_up(double b)
{
    return b * (1 + 0x1p-20);
}

/* bound a sum */
/* A sum of n terms by a tree of the given height (a loop: n - 1), with abs_sum
   the sum of the terms' absolute values. For height n - 1 no limit on n:
   Jeannerod and Rump, "Improved error bounds for inner products", 2013. */
static inline double bound_sum(double n, double height, double u,
                               double abs_sum)
{
    double rel = fmin(bound_gamma(height, u), (n > 1 ? n - 1 : 0) * u);

    return bound_up((rel + n * BOUND_DOUBLE) * abs_sum + n * BOUND_TINY);
}

/* The height when each of `threads` threads adds up its share of n terms, in
   any order, and a balanced tree joins the threads. */
static inline double bound_height(double n, double threads)
{
    double each = ceil(n / threads);

    return (each > 1 ? each - 1 : 0) + ceil(log2(threads));
}

/* bound a dot product */
/* A dot product of n terms, summed with the given height; abs_sum is the sum
   of |a[i] b[i]|. Fused or not. */
static inline double bound_dot(double n, double height, double u,
                               double abs_sum)
{
    double rel = bound_gamma(height + 1, u) + (n + 1) * BOUND_DOUBLE;

    return bound_up(rel * abs_sum + 2 * n * BOUND_TINY);
}

/* bound a dot product of rounded inputs */
/* The same, when a and b were rounded to a type of roundoff u_in before, and
   the reference has used them as they were. */
static inline double bound_dot_rounded(double n, double height, double u,
                                       double u_in, double abs_sum)
{
    double in = (1 + u_in) * (1 + u_in);

    return bound_up((in * (1 + bound_gamma(height + 1, u)) - 1) * abs_sum) +
           bound_dot(n, 0, 0, abs_sum);
}

/* bound a matrix product */
/* alpha (A B)[i][j] + beta C[i][j] with k terms; abs_sum is the sum over k of
   |a b|, c the old value. Fused or not. */
static inline double bound_gemm(double k, double height, double u, double alpha,
                                double beta, double abs_sum, double c)
{
    double ab = bound_gamma(height + 3, u) + (k + 3) * BOUND_DOUBLE;
    double bc = bound_gamma(2, u) + 2 * BOUND_DOUBLE;

    return bound_up(ab * fabs(alpha) * abs_sum + bc * fabs(beta * c) +
                    (2 * k * (1 + fabs(alpha)) + 4) * BOUND_TINY);
}

/* bound a function */
/* The relative error of a function that is off by at most `ulps` units in the
   last place from the correctly rounded result. */
static inline double bound_ulps(double ulps, double u)
{
    return (2 * ulps + 1) * u;
}

/* bound a softmax */
/* Element y of a softmax over n numbers that lie within `range`, by an exp with
   relative error e, a sum of the given height, and, if it is done online,
   `rescales` products on the way of a term (else 0). */
static inline double bound_softmax(double n, double height, double rescales,
                                   double range, double e, double u, double y)
{
    double term = exp(range * u) * (1 + e);
    double sum =
        term * (1 + bound_gamma(height, u)) * pow((1 + e) * (1 + u), rescales);
    double rel = sum < 2 ? term / (2 - sum) * (1 + u) - 1 : INFINITY;

    rel += (n + 4 + range) * 4 * BOUND_DOUBLE; /* the reference */
    return bound_up((rel + 4 * n * BOUND_TINY) * fabs(y) + 4 * BOUND_TINY);
}

/* bound a mean and a variance */
/* The mean of numbers by merges, `height` of them on the way of any number;
   the numbers are at most `most` in absolute value and lie within `range`. */
static inline double bound_mean(double height, double u, double most,
                                double range)
{
    double rel = 1.125 * height * u + 0x1p-40;

    return height * u > 0x1p-7 ? INFINITY : bound_up(rel * (3 * range + most));
}

/* The variance (the mean of the squared distances from the mean), likewise. */
static inline double bound_variance(double height, double u, double most,
                                    double range)
{
    double e = bound_mean(height, u, most, range);
    double d = 2 * e + u * (range + 2 * e), wide = range + d;

    return bound_up((height + 1) * (d * wide + 3 * u * wide * wide));
}

#endif

/* trial.h: random signals, and how near a spectrum must be. C11 and C++17. */
#ifndef DFT_TRIAL_H
#define DFT_TRIAL_H

#include "dft/dft.h"
#include "reduce/bound.h"
#include "tour/check.h"
#include "tour/rng.h"

/* make a random signal */
static inline struct cplx *cplx_alloc(size_t n)
{
    return (struct cplx *)check_alloc(n, sizeof(struct cplx));
}

/* n numbers with parts in [-1, 1) that a float can hold. */
static inline struct cplx *cplx_random(size_t n, uint64_t seed)
{
    struct cplx *x = cplx_alloc(n);

    for (size_t j = 0; j < n; j++) {
        x[j].re = 2 * rng_float(&seed) - 1;
        x[j].im = 2 * rng_float(&seed) - 1;
    }
    return x;
}

/* bound a bin of the reference */
/* The sum of the sizes of all parts. */
static inline double dft_total(int n, const struct cplx *x)
{
    double total = 0;

    for (int j = 0; j < n; j++)
        total += fabs(x[j].re) + fabs(x[j].im);
    return total;
}

/* How far each part of a bin by dft() may be from the exact value. */
static inline double dft_near(int n, const struct cplx *x)
{
    return bound_up(bound_gamma(2.0 * n + 8, BOUND_DOUBLE) * dft_total(n, x));
}

/* bound a bin in float */
/* The sums of the sizes of the products that make up bin k of n. */
static inline struct cplx dft_sizes(int n, int64_t k, const struct cplx *x)
{
    struct cplx sum = {0, 0};

    for (int64_t j = 0; j < n; j++) {
        struct cplx w = dft_root(-j * k, n);

        sum.re += fabs(x[j].re * w.re) + fabs(x[j].im * w.im);
        sum.im += fabs(x[j].re * w.im) + fabs(x[j].im * w.re);
    }
    return sum;
}

/* How far a part of a bin in float may be off, by roots that were rounded once;
   size is that part of dft_sizes. */
static inline double dft_bound(int n, double size)
{
    return bound_dot_rounded(2.0 * n, 2.0 * n, BOUND_FLOAT, BOUND_FLOAT, size);
}

/* compare two complex numbers */
static inline void check_parts(const char *what, int n, int k, struct cplx got,
                               struct cplx want, double near_re, double near_im)
{
    CHECK(fabs(got.re - want.re) <= near_re &&
              fabs(got.im - want.im) <= near_im,
          "%s: bin %d of %d is %.9g %+.9gi, not %.9g %+.9gi, may be off by "
          "%.3g and %.3g",
          what, k, n, got.re, got.im, want.re, want.im, near_re, near_im);
}

static inline void check_cplx(const char *what, int n, int k, struct cplx got,
                              struct cplx want, double near)
{
    check_parts(what, n, k, got, want, near, near);
}

#endif

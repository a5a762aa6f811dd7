/* gradcheck.h: is a gradient right? Central differences in double. C11 and
   C++17. */
#ifndef GRAD_GRADCHECK_H
#define GRAD_GRADCHECK_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tour/check.h"
#include "tour/rng.h"

/* say how far a gradient is from differences */
#define GRADCHECK_STEP 0x1p-17

struct gradcheck {
    double error; /* norm of (analytic - numeric) / norm of numeric */
    double norm;  /* of the numeric gradient, over the entries looked at */
    size_t count; /* entries looked at */
    size_t worst; /* the entry that is farthest off ... */
    double analytic, numeric; /* ... and its two values */
    size_t bent; /* the entry whose slopes to the left and to the right ... */
    double bend; /* ... differ most, and by how much: a kink if it is large */
};

/* take one central difference */
/* The slope of f in *x: *x is moved to both sides, f called, *x put back. */
static inline double gradcheck_slope(double (*f)(void *work), void *work,
                                     double *x, double h, double middle,
                                     double *bend)
{
    double x0 = *x, step = h * fmax(1, fabs(x0)), hi = x0 + step,
           lo = x0 - step, up, down;

    *x = hi;
    up = f(work);
    *x = lo;
    down = f(work);
    *x = x0;
    *bend = fabs((up - middle) / (hi - x0) - (middle - down) / (x0 - lo));
    return (up - down) / (hi - lo);
}

/* begin to compare */
/* The k-th of `count` entries of n to look at: any of its piece. */
static inline size_t gradcheck_entry(size_t n, size_t count, size_t k,
                                     uint64_t seed)
{
    size_t first = n / count * k + n % count * k / count;
    size_t next = n / count * (k + 1) + n % count * (k + 1) / count;

    return first + rng_at(seed, k) % (next - first);
}

/* take a slope into account */
/* Takes the slope d of entry i, whose analytic value is a, into account. */
static inline void gradcheck_note(struct gradcheck *r, size_t i, double a,
                                  double d, double bend)
{
    double far = fabs(r->analytic - r->numeric), off = fabs(a - d);

    r->norm = hypot(r->norm, d);
    r->error = hypot(r->error, off);
    if (r->count++ == 0 || off > far || (isnan(off) && !isnan(far))) {
        r->worst = i;
        r->analytic = a;
        r->numeric = d;
    }
    if (bend > r->bend) {
        r->bend = bend;
        r->bent = i;
    }
}

/* compare entries of a gradient with differences */

/* compare some entries */
/* Compares analytic[0..n), the gradient of f, with central differences. f(work)
   computes a number from x[0..n), which it reaches through `work`, and from
   nothing else that changes; x is as it was afterwards. Looks at every entry,
   or, if 0 < count < n, at `count` of them. 2 count + 1 calls of f. */
static inline struct gradcheck gradcheck_some(double (*f)(void *work),
                                              void *work, double *x, size_t n,
                                              const double *analytic, double h,
                                              size_t count, uint64_t seed)
{
    struct gradcheck r = {0, 0, 0, 0, 0, 0, 0, 0};
    size_t looks = count > 0 && count < n ? count : n;
    double middle = f(work), bend;

    for (size_t k = 0; k < looks; k++) {
        size_t i = gradcheck_entry(n, looks, k, seed);
        double d = gradcheck_slope(f, work, &x[i], h, middle, &bend);

        gradcheck_note(&r, i, analytic[i], d, bend);
    }
    r.error = r.error == 0 ? 0 : r.error / r.norm;
    return r;
}

/* Every entry, with the step GRADCHECK_STEP. */
static inline struct gradcheck gradcheck(double (*f)(void *work), void *work,
                                         double *x, size_t n,
                                         const double *analytic)
{
    return gradcheck_some(f, work, x, n, analytic, GRADCHECK_STEP, 0, 0);
}

/* refuse a gradient that is too far off */
/* GRADCHECK(name, r, tol): r.error <= tol, else print the worst entry, exit 1.
   NaN is not <= anything. */
#define GRADCHECK(name, r, tol)                                              \
    CHECK((r).error <= (tol),                                                \
          "%s: the gradient is off by %.3g (tolerance %.3g) over %zu "       \
          "entries of norm %.3g; the worst is entry %zu: %.9g, differences " \
          "say %.9g; entry %zu bends by %.3g",                               \
          name, (r).error, (double)(tol), (r).count, (r).norm, (r).worst,    \
          (r).analytic, (r).numeric, (r).bent, (r).bend)

#endif

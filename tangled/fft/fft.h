/* fft.h: the fast Fourier transform on the host, in double, as three programs
   for powers of two and one for every length. C11 and C++17. */
#ifndef FFT_FFT_H
#define FFT_FFT_H

#include <stdlib.h>

#include "dft/dft.h"
#include "tour/check.h"

/* subtract and exchange */
static inline struct cplx cplx_sub(struct cplx a, struct cplx b)
{
    struct cplx c = {a.re - b.re, a.im - b.im};

    return c;
}

static inline void cplx_swap(struct cplx *a, struct cplx *b)
{
    struct cplx c = *a;

    *a = *b;
    *b = c;
}

/* transform by halves */
/* y[0..n) := the transform of x[0], x[step], ..., n a power of two; sign as for
   dft(), not scaled. y must not be x. */
static inline void fft_halves(int n, int sign, int step, const struct cplx *x,
                              struct cplx *y)
{
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    fft_halves(n / 2, sign, 2 * step, x, y);
    fft_halves(n / 2, sign, 2 * step, x + step, y + n / 2);
    for (int k = 0; k < n / 2; k++) {
        struct cplx even = y[k];
        struct cplx odd = cplx_mul(dft_root(sign * k, n), y[k + n / 2]);

        y[k] = cplx_add(even, odd);
        y[k + n / 2] = cplx_sub(even, odd);
    }
}

/* transform in place */
/* x := its transform, n a power of two. */
static inline void fft_in_place(int n, int sign, struct cplx *x)
{
    for (int i = 0, r = 0; i < n; i++) {
        if (i < r)
            cplx_swap(&x[i], &x[r]);
        /* add one to a reversed number */
        for (int bit = n / 2; (r ^= bit) < bit && bit > 0; bit /= 2)
            ;
    }
    /* visit every pair */
    for (int half = 1; half < n; half *= 2)
        for (int i = 0; i < n; i += 2 * half)
            for (int k = 0; k < half; k++) {
                struct cplx even = x[i + k], odd = x[i + k + half];

                odd = cplx_mul(dft_root(sign * k, 2 * half), odd);
                x[i + k] = cplx_add(even, odd);
                x[i + k + half] = cplx_sub(even, odd);
            }
}

/* transform in order */
/* y := the transform of x, n a power of two; both arrays are overwritten. */
static inline void fft_in_order(int n, int sign, struct cplx *x, struct cplx *y)
{
    struct cplx *from = x, *to = y, *other;

    for (int half = 1; half < n; half *= 2) {
        for (int j = 0; j < n / 2; j++) {
            /* find where a pair goes */
            int k = j % half, at = 2 * (j - k) + k;
            struct cplx even = from[j], odd = from[j + n / 2];

            odd = cplx_mul(dft_root(sign * k, 2 * half), odd);
            to[at] = cplx_add(even, odd);
            to[at + half] = cplx_sub(even, odd);
        }
        other = from, from = to, to = other;
    }
    if (from != y)
        memcpy(y, from, n * sizeof *y);
}

/* transform any length */
/* n complex zeros, to be freed. */
static inline struct cplx *fft_room(size_t n)
{
    return (struct cplx *)check_alloc(n, sizeof(struct cplx));
}

/* The smallest prime that divides n > 1. */
static inline int fft_factor(int n)
{
    int p = 2;

    while (p * p <= n && n % p != 0)
        p++;
    return n % p == 0 ? p : n;
}

/* As fft_halves for the n numbers x[0], x[step], ..., any n >= 1; roots
   are the n * step-th. room: n numbers. */
static inline void fft_parts(int n, int step, const struct cplx *roots,
                             const struct cplx *x, struct cplx *y,
                             struct cplx *room)
{
    int p = n > 1 ? fft_factor(n) : 1, m = n / p;

    if (n == 1)
        y[0] = x[0];
    for (int q = 0; q < p && n > 1; q++)
        fft_parts(m, p * step, roots, x + q * step, room + q * m, y);
    for (int k = 0; k < n && n > 1; k++) {
        struct cplx sum = room[k % m];

        for (int q = 1; q < p; q++)
            sum = cplx_add(sum, cplx_mul(room[q * m + k % m],
                                         roots[(int64_t)q * k % n * step]));
        y[k] = sum;
    }
}

/* y := the transform of x, any n >= 1; sign as for dft(), not scaled. */
static inline void fft_any(int n, int sign, const struct cplx *x,
                           struct cplx *y)
{
    struct cplx *roots = fft_room(n), *room = fft_room(n);

    for (int r = 0; r < n; r++)
        roots[r] = dft_root(sign * r, n);
    fft_parts(n, 1, roots, x, y, room);
    free(roots), free(room);
}

#endif

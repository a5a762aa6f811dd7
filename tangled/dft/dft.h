/* dft.h: the discrete Fourier transform by its definition, in double, and one
   frequency by Goertzel's recurrence. C11 and C++17. */
#ifndef DFT_DFT_H
#define DFT_DFT_H

#include <math.h>
#include <stdint.h>

/* hold a complex number */
struct cplx {
    double re, im;
};

static inline struct cplx cplx_add(struct cplx a, struct cplx b)
{
    struct cplx c = {a.re + b.re, a.im + b.im};

    return c;
}

static inline struct cplx cplx_mul(struct cplx a, struct cplx b)
{
    struct cplx c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};

    return c;
}

/* compute a root of unity */
/* e^(2 pi i num / den), den > 0. Quarter turns are exact; the parts of all
   others are off by less than 6 x 2^-53 of themselves. */
static inline struct cplx dft_root(int64_t num, int64_t den)
{
    const double turn = 6.283185307179586;
    int64_t part = (num % den + den) % den;
    int64_t quarter = (8 * part + den) / (2 * den); /* the nearest: 0 to 4 */
    double angle = turn * (double)(4 * part - quarter * den) / (4.0 * den);
    double c = cos(angle), s = sin(angle);
    const struct cplx turned[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};

    return turned[quarter % 4];
}

/* transform by the definition */
/* y[k] = the sum over j < n of x[j] e^(sign 2 pi i jk / n), for k < n, not
   scaled; sign is -1 forward, 1 back. y must not be x. */
static inline void dft(int n, int sign, const struct cplx *x, struct cplx *y)
{
    for (int64_t k = 0; k < n; k++) {
        struct cplx sum = {0, 0};

        for (int64_t j = 0; j < n; j++)
            sum = cplx_add(sum, cplx_mul(x[j], dft_root(sign * j * k, n)));
        y[k] = sum;
    }
}

/* find one frequency by Goertzel */
/* How much of a tone of `turns` turns a sample is in x: the size of the sum
   over j < n of x[j] e^(-2 pi i j turns). */
static inline double goertzel(int n, const double *x, double turns)
{
    const double angle = 6.283185307179586 * turns, twice = 2 * cos(angle);
    double s = 0, before = 0;

    for (int j = 0; j < n; j++) {
        double next = x[j] + twice * s - before;

        before = s;
        s = next;
    }
    return hypot(s - cos(angle) * before, sin(angle) * before);
}

#endif

/* rows.h: sums of rows, products of rows, several numbers at a time. For gcc
   and clang. Pointers to numbers may have any alignment of a number. */
#ifndef MNIST_ROWS_H
#define MNIST_ROWS_H

#include <stddef.h>
#include <string.h>

#include "matmul/real.h"

/* make several numbers one value */
typedef real lanes
    __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));
typedef real half_lanes
    __attribute__((vector_size(16), aligned(sizeof(real)), may_alias));

enum { LANES = 32 / sizeof(real), CHAINS = 7 };
enum { SUMS = 4, TILE = 2, SPAN = TILE * LANES }; /* of a tile, at most */

#if defined __x86_64__ && defined __gnu_linux__
#define CLONES __attribute__((target_clones("avx2", "default")))
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define CLONES
#define HAS_AVX2 0
#endif
#define INLINE static inline __attribute__((always_inline))

/* describe rows */
/* Rows of numbers at x + r * next + at[t], for r < count and t < taps; sums of
   them at y + k * next, for k < sums. In sum k a row has a factor,
   c[k * next_k + r * next_c + t * next_tap]. */
struct rows {
    int count, taps, sums;
    const real *x, *c;
    real *y;
    size_t next, next_k;
    ptrdiff_t next_c, next_tap;
    const size_t *at;
};

/* add a product */
/* sum += c x, of a vector of `width` numbers. */
INLINE void add_product(int width, real c, const real *x, real *sum)
{
    if (width == LANES)
        *(lanes *)sum += c * *(const lanes *)x;
    else
        *(half_lanes *)sum += c * *(const half_lanes *)x;
}

/* add up a tile of rows */
/* The n numbers from j on of `sums` sums, k and those after it. */
INLINE void add_tile(const struct rows *s, int width, int sums, int k, int j,
                     int n)
{
    real sum[SUMS][SPAN] = {{0}};

    for (int r = 0; r < s->count; r++)
        for (int t = 0; t < s->taps; t++) {
            const real *c =
                s->c + k * s->next_k + r * s->next_c + t * s->next_tap;
            const real *x = s->x + r * s->next + s->at[t] + j;

#pragma GCC unroll 2
            for (int v = 0; v < TILE; v++)
#pragma GCC unroll 4
                for (int i = 0; i < sums; i++)
                    add_product(width, c[i * s->next_k], x + v * width,
                                sum[i] + v * width);
        }
    for (int i = 0; i < sums; i++) {
        real *y = s->y + (k + i) * s->next + j;

        if (n == TILE * width) /* a size that is known: no call */
            memcpy(y, sum[i], TILE * width * sizeof *y);
        else
            memcpy(y, sum[i], n * sizeof *y);
    }
}

/* add up rows */
/* All sums of the rows, of len numbers each, in vectors of `width`. */
INLINE void add_all(const struct rows *s, int width, int len)
{
    int span = TILE * width;

    for (int j = 0; j < len; j += span) {
        int n = len - j < span ? len - j : span, k = 0;

        for (; k + SUMS <= s->sums; k += SUMS)
            add_tile(s, width, SUMS, k, j, n);
        for (; k < s->sums; k++)
            add_tile(s, width, 1, k, j, n);
    }
}

CLONES static void add_rows(const struct rows *s, int len)
{
    if (HAS_AVX2)
        add_all(s, LANES, len);
    else
        add_all(s, LANES / 2, len);
}

/* multiply two rows */
static real total(const lanes *sum)
{
    real t = 0;

    for (int v = 0; v < LANES; v++)
        t += (*sum)[v];
    return t;
}

/* a . x, of len numbers. */
CLONES static real dot(int len, const real *a, const real *x)
{
    lanes sum[CHAINS] = {{0}};
    real t = 0;
    int j = 0;

    for (; j + CHAINS * LANES <= len; j += CHAINS * LANES)
#pragma GCC unroll 7
        for (int v = 0; v < CHAINS; v++)
            sum[v] += *(const lanes *)(a + j + v * LANES) *
                      *(const lanes *)(x + j + v * LANES);
    for (int v = 0; v < CHAINS; v++)
        t += total(&sum[v]);
    for (; j < len; j++)
        t += a[j] * x[j];
    return t;
}

/* sum[t] += a x, with x from at[t] on, lane by lane; LANES divides len. */
CLONES static void add_products(int len, const real *a, const real *x,
                                const size_t *at, lanes *sum)
{
    lanes s[9];

#pragma GCC unroll 9
    for (int t = 0; t < 9; t++)
        s[t] = sum[t];
    for (int j = 0; j < len; j += LANES) {
        lanes aj = *(const lanes *)(a + j);

#pragma GCC unroll 9
        for (int t = 0; t < 9; t++)
            s[t] += aj * *(const lanes *)(x + at[t] + j);
    }
#pragma GCC unroll 9
    for (int t = 0; t < 9; t++)
        sum[t] = s[t];
}

/* go through a plane but its border */
/* Adds to the sums of z - mean and of its square, where `inside` is 1. */
CLONES static void add_deviations(int len, const real *z, const real *inside,
                                  real mean, double *sum, double *squares)
{
    lanes d1 = {0}, d2 = {0};

    for (int j = 0; j < len; j += LANES) {
        lanes d =
            (*(const lanes *)(z + j) - mean) * *(const lanes *)(inside + j);

        d1 += d;
        d2 += d * d;
    }
    *sum += total(&d1);
    *squares += total(&d2);
}

/* y = a z + b where `inside` is 1, and 0 elsewhere. */
CLONES static void put_line(int len, const real *z, const real *inside, real a,
                            real b, real *y)
{
    for (int j = 0; j < len; j += LANES)
        *(lanes *)(y + j) =
            (a * *(const lanes *)(z + j) + b) * *(const lanes *)(inside + j);
}

/* take the largest of four */
typedef __typeof__((lanes){0} > (lanes){0}) bits;
#define CHOOSE(which, x, y) \
    ((lanes)(((which) & (bits)(x)) | (~(which) & (bits)(y))))

/* best = the largest of a z + b at four places and of 0, who = its number, 0 to
   3, or 4 for the 0: the first of equals, and a NaN always. */
CLONES static void take_maxima(int len, const real *z, const size_t *at, real a,
                               real b, real *best, real *who)
{
    const lanes zero = {0};

    for (int j = 0; j < len; j += LANES) {
        lanes most = zero, which = zero + 4;

#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            lanes v = a * *(const lanes *)(z + at[i] + j) + b;
            bits wins = (v > most) | (v != v);

            most = CHOOSE(wins, v, most);
            which = CHOOSE(wins, zero + (real)i, which);
        }
        *(lanes *)(best + j) = most;
        *(lanes *)(who + j) = which;
    }
}

#endif

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

enum { LANES = 32 / sizeof(real), TILE = 7 };

#if defined __x86_64__ && defined __gnu_linux__
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

/* describe rows */
/* Rows of numbers at x + r * next_x + at[t], for r < count and t < taps, and
   for each of them a factor, c[r * next_c + t * next_tap]. */
struct rows {
    int count, taps;
    const real *x, *c;
    size_t next_x;
    ptrdiff_t next_c, next_tap;
    const size_t *at;
};

/* add up a tile of rows */
INLINE void add_tile(const struct rows *s, int j, real *y)
{
    lanes sum[TILE] = {{0}};

    for (int r = 0; r < s->count; r++)
        for (int t = 0; t < s->taps; t++) {
            real c = s->c[r * s->next_c + t * s->next_tap];
            const real *x = s->x + r * s->next_x + s->at[t] + j;

#pragma GCC unroll 7
            for (int v = 0; v < TILE; v++)
                sum[v] += c * *(const lanes *)(x + v * LANES);
        }
    memcpy(y + j, sum, sizeof sum);
}

/* add up rows */
/* y[0..len) = the sum of the rows, each times its factor. */
CLONES static void add_rows(const struct rows *s, int len, real *y)
{
    int j = 0;

    for (; j + TILE * LANES <= len; j += TILE * LANES)
        add_tile(s, j, y);
    for (; j < len; j++) {
        y[j] = 0;
        for (int r = 0; r < s->count; r++)
            for (int t = 0; t < s->taps; t++)
                y[j] += s->c[r * s->next_c + t * s->next_tap] *
                        s->x[r * s->next_x + s->at[t] + j];
    }
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
    lanes sum[TILE] = {{0}};
    real t = 0;
    int j = 0;

    for (; j + TILE * LANES <= len; j += TILE * LANES)
#pragma GCC unroll 7
        for (int v = 0; v < TILE; v++)
            sum[v] += *(const lanes *)(a + j + v * LANES) *
                      *(const lanes *)(x + j + v * LANES);
    for (int v = 0; v < TILE; v++)
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

    memcpy(s, sum, sizeof s);
    for (int j = 0; j < len; j += LANES) {
        lanes aj = *(const lanes *)(a + j);

#pragma GCC unroll 9
        for (int t = 0; t < 9; t++)
            s[t] += aj * *(const lanes *)(x + at[t] + j);
    }
    memcpy(sum, s, sizeof s);
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

#endif

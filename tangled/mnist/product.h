/* product.h: the three products of a training step, channels last. */
#ifndef MNIST_PRODUCT_H
#define MNIST_PRODUCT_H

#include <stddef.h>

#include "mnist/lanes.h"

/* describe a matrix of patches */
/* A matrix that is read in place. Its rows are patches: row (l, p), for
   l < lines and p < across, starts at x + l * down + p * step and consists of
   `runs` runs of `len` numbers, `skip` apart. A plain matrix has one run. */
struct patches {
    const real *x;
    int lines, across;
    size_t down, step;
    int runs, len;
    size_t skip;
};

/* A matrix that is written: row (l, p) is at y + l * down + p * step. */
struct places {
    real *y;
    size_t down, step;
};

/* multiply a tile */
INLINE void tile(int rows, const struct patches *a, const real *x,
                 const real *w, int cols, real *y, size_t step)
{
    lanes sum[8];

#pragma GCC unroll 8
    for (int p = 0; p < rows; p++)
        sum[p] = *(const lanes *)(y + p * step);
    for (int r = 0; r < a->runs; r++)
        for (int i = 0; i < a->len; i++, w += cols) {
            const real *xi = x + r * a->skip + i;
            lanes wi = *(const lanes *)w;

#pragma GCC unroll 8
            for (int p = 0; p < rows; p++)
                sum[p] += xi[p * a->step] * wi;
        }
#pragma GCC unroll 8
    for (int p = 0; p < rows; p++)
        *(lanes *)(y + p * step) = sum[p];
}

/* multiply patches by a matrix */
/* Y += A W for w[len * runs][cols]; cols is a multiple of LANES. */
CLONES static void product(const struct patches *a, const real *w, int cols,
                           const struct places *into)
{
    for (int l = 0; l < a->lines; l++)
        for (int k = 0; k < cols; k += LANES)
            for (int p = 0, left; (left = a->across - p) > 0;) {
                const real *x = a->x + l * a->down + p * a->step;
                real *y = into->y + l * into->down + p * into->step + k;

                if (left % 8 == 0) {
                    tile(8, a, x, w + k, cols, y, into->step);
                    p += 8;
                } else if (left >= 7) {
                    tile(7, a, x, w + k, cols, y, into->step);
                    p += 7;
                } else {
                    tile(1, a, x, w + k, cols, y, into->step);
                    p++;
                }
            }
}

/* multiply a tile of the transpose */
INLINE void tile_t(int rows, const struct patches *a, const real *x,
                   const struct places *dy, int k, real *dw, int cols)
{
    lanes sum[8];

#pragma GCC unroll 8
    for (int j = 0; j < rows; j++)
        sum[j] = *(const lanes *)(dw + j * cols);
    for (int l = 0; l < a->lines; l++)
        for (int p = 0; p < a->across; p++) {
            const real *xp = x + l * a->down + p * a->step;
            lanes d = *(const lanes *)(dy->y + l * dy->down + p * dy->step + k);

#pragma GCC unroll 8
            for (int j = 0; j < rows; j++)
                sum[j] += xp[j] * d;
        }
#pragma GCC unroll 8
    for (int j = 0; j < rows; j++)
        *(lanes *)(dw + j * cols) = sum[j];
}

/* multiply the transpose of patches by a matrix */
/* dW += A' dY for dw[len * runs][cols]; cols is a multiple of LANES. */
CLONES static void product_t(const struct patches *a, const struct places *dy,
                             int cols, real *dw)
{
    for (int r = 0; r < a->runs; r++)
        for (int i = 0, left; (left = a->len - i) > 0;) {
            const real *x = a->x + r * a->skip + i;
            int rows = left >= 8 ? 8 : left >= 3 ? 3 : 1;

            for (int k = 0; k < cols; k += LANES)
                if (rows == 8)
                    tile_t(8, a, x, dy, k, dw + k, cols);
                else if (rows == 3)
                    tile_t(3, a, x, dy, k, dw + k, cols);
                else
                    tile_t(1, a, x, dy, k, dw + k, cols);
            i += rows;
            dw += (size_t)rows * cols;
        }
}

/* turn the weights */
/* wt[taps][out][in] from w[taps][in][out], the taps in the opposite order. */
static void turn(int taps, int in, int out, const real *w, real *wt)
{
    for (int t = 0; t < taps; t++)
        for (int i = 0; i < in; i++)
            for (int o = 0; o < out; o++)
                wt[((size_t)(taps - 1 - t) * out + o) * in + i] =
                    w[((size_t)t * in + i) * out + o];
}

#endif

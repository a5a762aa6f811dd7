/* reference.c: convolution and its two gradients on the CPU. */
#include "conv/reference.h"

#include <string.h>

/* add the products of one row */
enum sum { SUM_Y, SUM_DX, SUM_DW };

/* For each of `count` places q: x[q * stride] meets the weight *w and gives to
   y[q]. Which of the three is the sum is said by `what`. */
static void add_row(enum sum what, int first, int count, int stride, real *x,
                    real *w, real *y)
{
    for (int q = first; q < count; q++)
        switch (what) {
        case SUM_Y:
            y[q] += x[(ptrdiff_t)q * stride] * *w;
            break;
        case SUM_DX:
            x[(ptrdiff_t)q * stride] += y[q] * *w;
            break;
        case SUM_DW:
            *w += x[(ptrdiff_t)q * stride] * y[q];
            break;
        }
}

/* add what one tap contributes */
/* All meetings of weight *w, which is tap (i, j) of channel c of filter k, with
   the inputs of image n. */
static void add_tap(enum sum what, const struct conv *v, int n, int k, int c,
                    int i, int j, real *x, real *w, real *y)
{
    int P = conv_out_h(v), Q = conv_out_w(v), first = 0, last = Q;
    int left = j * v->dilation - v->pad; /* the column under q = 0 */

    while (first < last && left + first * v->stride < 0)
        first++;
    while (last > first && left + (last - 1) * v->stride >= v->w)
        last--;
    for (int p = 0; p < P; p++) {
        int row = p * v->stride + i * v->dilation - v->pad;

        if (row >= 0 && row < v->h)
            add_row(what, first, last, v->stride,
                    x + conv_row(v->c, v->h, v->w, n, c, row) + left, w,
                    y + conv_row(v->k, P, Q, n, k, p));
    }
}

/* walk over all products */
static void add_all(enum sum what, const struct conv *v, real *x, real *w,
                    real *y)
{
    for (int n = 0; n < v->n; n++) {
        real *tap = w;

        for (int k = 0; k < v->k; k++)
            for (int c = 0; c < v->c; c++)
                for (int i = 0; i < v->r; i++)
                    for (int j = 0; j < v->s; j++)
                        add_tap(what, v, n, k, c, i, j, x, tap++, y);
    }
}

/* start from zero and walk */
void conv_forward(const struct conv *v, const real *x, const real *w, real *y)
{
    conv_check(v);
    memset(y, 0, conv_y(v) * sizeof *y);
    add_all(SUM_Y, v, (real *)x, (real *)w, y);
}

/* start the gradients from zero */
void conv_input_gradient(const struct conv *v, const real *dy, const real *w,
                         real *dx)
{
    conv_check(v);
    memset(dx, 0, conv_x(v) * sizeof *dx);
    add_all(SUM_DX, v, dx, (real *)w, (real *)dy);
}

void conv_filter_gradient(const struct conv *v, const real *x, const real *dy,
                          real *dw)
{
    conv_check(v);
    memset(dw, 0, conv_w(v) * sizeof *dw);
    add_all(SUM_DW, v, (real *)x, dw, (real *)dy);
}

/* wgrad: the filter gradient as a convolution. */
#include <stdio.h>
#include <stdlib.h>

#include "conv/reference_d.h"
#include "conv/shapes.h"

/* exchange the first two indices */
/* Random whole numbers in x[a][b][rest]; returns them as [b][a][rest]. */
static double *fill_both(int a, int b, int rest, double *x, uint64_t *seed)
{
    double *y = (double *)check_alloc((size_t)a * b * rest, sizeof *y);

    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int e = 0; e < rest; e++) {
                double value = rng_small(seed);

                x[(i * b + j) * rest + e] = value;
                y[(j * a + i) * rest + e] = value;
            }
    return y;
}

/* make a filter gradient by a convolution */
static int try_wgrad(struct conv v, uint64_t *seed)
{
    int P = conv_out_h(&v), Q = conv_out_w(&v);
    struct conv u = {v.c, v.n, v.h,        v.w,   v.k,
                     P,   Q,   v.dilation, v.pad, v.stride};
    double *x = (double *)check_alloc(conv_x(&v), sizeof *x);
    double *dy = (double *)check_alloc(conv_y(&v), sizeof *dy);
    double *dw = (double *)check_alloc(conv_w(&v), sizeof *dw);
    double *x2 = fill_both(v.n, v.c, v.h * v.w, x, seed);
    double *dy2 = fill_both(v.n, v.k, P * Q, dy, seed), *y;

    if (v.n > 0) {
        conv_filter_gradient(&v, x, dy, dw);
        y = (double *)check_alloc(conv_y(&u), sizeof *y);
        conv_forward(&u, x2, dy2, y);
        for (int e = 0; e < (int)conv_w(&v); e++) {
            int j = e % v.s, i = e / v.s % v.r;
            int c = e / v.s / v.r % v.c, k = e / v.s / v.r / v.c;

            CHECK(dw[e] ==
                      y[conv_row(v.k, conv_out_h(&u), conv_out_w(&u), c, k, i) +
                        j],
                  "weight %d", e);
        }
        free(y);
    }
    free(x), free(dy), free(dw), free(x2), free(dy2);
    return v.n > 0;
}

int main(void)
{
    uint64_t seed = 1;
    int count = 0;

    for (int i = 0; i < CONV_SHAPES; i++)
        count += try_wgrad(conv_shapes[i], &seed);
    for (int i = 0; i < 100; i++)
        count += try_wgrad(conv_random(&seed), &seed);
    printf("ok: %d filter gradients are convolutions\n", count);
    return 0;
}

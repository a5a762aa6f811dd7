/* adjoint: the references in double, checked by the definition and by the
   identities that the gradients must obey. */
#include <stdio.h>
#include <stdlib.h>

#include "conv/reference_d.h"
#include "conv/shapes.h"
#include "tour/args.h"

/* draw whole numbers */
static double *draw(size_t n, uint64_t *seed)
{
    double *x = (double *)check_alloc(n, sizeof *x);

    for (size_t i = 0; i < n; i++)
        x[i] = rng_small(seed);
    return x;
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void same(const char *what, size_t n, const double *got,
                 const double *want)
{
    for (size_t i = 0; i < n; i++)
        CHECK(got[i] == want[i], "%s[%zu] is %g, not %g", what, i, got[i],
              want[i]);
}

/* take an element or 0 */
/* The element of x, or 0 beside the image. */
static double at(const struct conv *v, const double *x, int n, int c, int row,
                 int col)
{
    int exists = row >= 0 && row < v->h && col >= 0 && col < v->w;

    return exists ? x[conv_row(v->c, v->h, v->w, n, c, row) + col] : 0;
}

/* convolve by the definition */
static double defined(const struct conv *v, const double *x, const double *w,
                      int n, int k, int p, int q)
{
    double sum = 0;

    for (int c = 0; c < v->c; c++)
        for (int i = 0; i < v->r; i++)
            for (int j = 0; j < v->s; j++)
                sum += w[conv_row(v->c, v->r, v->s, k, c, i) + j] *
                       at(v, x, n, c, p * v->stride - v->pad + i * v->dilation,
                          q * v->stride - v->pad + j * v->dilation);
    return sum;
}

/* compare with the definition */
static void by_definition(struct conv v, uint64_t *seed)
{
    double *x = draw(conv_x(&v), seed), *w = draw(conv_w(&v), seed);
    double *y = draw(conv_y(&v), seed), *out = y;

    conv_forward(&v, x, w, y);
    for (int n = 0; n < v.n; n++)
        for (int k = 0; k < v.k; k++)
            for (int p = 0; p < conv_out_h(&v); p++)
                for (int q = 0; q < conv_out_w(&v); q++, out++)
                    CHECK(*out == defined(&v, x, w, n, k, p, q),
                          "y is %g, not %g", *out,
                          defined(&v, x, w, n, k, p, q));
    free(x), free(w), free(y);
}

/* check the two adjoint identities */
static void by_adjoint(struct conv v, uint64_t *seed)
{
    size_t nx = conv_x(&v), nw = conv_w(&v), ny = conv_y(&v);
    double *x = draw(nx, seed), *dx = draw(nx, seed);
    double *w = draw(nw, seed), *dw = draw(nw, seed);
    double *y = draw(ny, seed), *dy = draw(ny, seed);

    conv_forward(&v, x, w, y);
    conv_input_gradient(&v, dy, w, dx);
    conv_filter_gradient(&v, x, dy, dw);
    CHECK(dot(ny, dy, y) == dot(nx, dx, x), "<dy, y> = %g, <dx, x> = %g",
          dot(ny, dy, y), dot(nx, dx, x));
    CHECK(dot(ny, dy, y) == dot(nw, dw, w), "<dy, y> = %g, <dw, w> = %g",
          dot(ny, dy, y), dot(nw, dw, w));
    free(x), free(dx), free(w), free(dw), free(y), free(dy);
}

/* make the input gradient by a convolution */
/* For a stride of 1: dx is a convolution of dy with the flipped filters, whose
   channels and filters change places. Returns 1 if v is such a case. */
static int by_flip(struct conv v, uint64_t *seed)
{
    int rs = v.r * v.s, pad = v.dilation * (v.r - 1) - v.pad;
    int P = conv_out_h(&v), Q = conv_out_w(&v);
    struct conv u = {v.n, v.k, P, Q, v.c, v.r, v.s, 1, pad, v.dilation};
    double *w = draw(conv_w(&v), seed), *flipped = draw(conv_w(&v), seed);
    double *dy = draw(conv_y(&v), seed), *dx = draw(conv_x(&v), seed);
    double *got = draw(conv_x(&v), seed);
    int can = v.stride == 1 && v.r == v.s && pad >= 0;

    /* convolve dy with the flipped filters */
    for (int k = 0; k < v.k; k++)
        for (int c = 0; c < v.c; c++)
            for (int t = 0; t < rs; t++)
                flipped[((size_t)c * v.k + k) * rs + t] =
                    w[((size_t)k * v.c + c) * rs + rs - 1 - t];
    if (can) {
        conv_input_gradient(&v, dy, w, dx);
        conv_forward(&u, dy, flipped, got);
        same("dx", conv_x(&v), got, dx);
    }
    free(w), free(flipped), free(dy), free(dx), free(got);
    return can;
}

/* check the references on all shapes */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_NUMBER("--random", 300, 0, 1000000)};
    uint64_t seed = args_parse(argc, argv, "the gradients of a convolution",
                               args, ARG_COUNT(args));
    int count = CONV_SHAPES + (int)args[0].value, flipped = 0;

    for (int i = 0; i < count; i++) {
        struct conv v = i < CONV_SHAPES ? conv_shapes[i] : conv_random(&seed);

        by_definition(v, &seed);
        by_adjoint(v, &seed);
        flipped += by_flip(v, &seed);
    }
    printf("ok: %d shapes; %d input gradients are convolutions with the "
           "flipped filters\n",
           count, flipped);
    return 0;
}

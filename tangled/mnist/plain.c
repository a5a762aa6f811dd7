#include <stdlib.h>

#include "mnist/plain.h"
#ifdef REAL_DOUBLE
#include "conv/reference_d.h"
#include "layers/reference_d.h"
#else
#include "conv/reference.h"
#include "layers/reference.h"
#endif
#include "tour/check.h"

#define EPSILON ((real)1e-5) /* as PyTorch's */

/* hold a plain block */
struct plain_block {
    struct conv v;
    const struct model_tensor *t; /* filters, scale, bias */
    const real *x;                /* what comes in */
    real *z, *y, *dy, *p, *dp, *mean, *var;
    unsigned char *which;
};

static struct plain_block
open_block(struct conv v, const struct model_tensor *t, const real *x)
{
    struct plain_block b = {.v = v, .t = t, .x = x};
    size_t y = conv_y(&v);

    b.z = check_alloc(3 * y + y / 2 + 2 * (size_t)v.k, sizeof *b.z);
    b.y = b.z + y;
    b.dy = b.y + y;
    b.p = b.dy + y;
    b.dp = b.p + y / 4;
    b.mean = b.dp + y / 4;
    b.var = b.mean + v.k;
    b.which = check_alloc(y / 4, 1);
    return b;
}

/* go through a plain block */
static void block_forward(struct plain_block *b, const real *w)
{
    const struct conv *v = &b->v;
    int pixels = v->h * v->w;

    conv_forward(v, b->x, w + b->t[0].at, b->z);
    batchnorm_moments(v->n, v->k, pixels, b->z, b->mean, b->var);
    batchnorm_apply(v->n, v->k, pixels, EPSILON, b->z, b->mean, b->var,
                    w + b->t[1].at, w + b->t[2].at, b->y);
    relu_forward(conv_y(v), b->y, b->y);
    maxpool_forward(v->n * v->k, v->h, v->w, b->y, b->p, b->which);
}

static void block_backward(struct plain_block *b, const real *w, real *g,
                           real *dx)
{
    const struct conv *v = &b->v;

    maxpool_backward(v->n * v->k, v->h, v->w, b->dp, b->which, b->dy);
    relu_backward(conv_y(v), b->y, b->dy, b->dy);
    batchnorm_backward(v->n, v->k, v->h * v->w, EPSILON, b->z, b->mean, b->var,
                       w + b->t[1].at, b->dy, b->dy, g + b->t[1].at,
                       g + b->t[2].at);
    conv_filter_gradient(v, b->x, b->dy, g + b->t[0].at);
    if (dx)
        conv_input_gradient(v, b->dy, w + b->t[0].at, dx);
}

/* go through the plain network */
double plain_step(const struct model *m, const real *w, int n, const real *x,
                  const int *label, real *grad)
{
    const struct model_tensor *t = m->tensor;
    struct conv v1 = {n, 1, 28, 28, m->c1, 3, 3, 1, 1, 1};
    struct conv v2 = {n, m->c1, 14, 14, m->c2, 3, 3, 1, 1, 1};
    struct plain_block a = open_block(v1, t, x), b = open_block(v2, t + 3, a.p);
    size_t hidden = (size_t)n * m->hidden, outputs = (size_t)n * MODEL_DIGITS;
    real *h = check_alloc(2 * hidden + 3 * outputs, sizeof *h);
    real *dh = h + hidden, *o = dh + hidden, *dout = o + outputs;
    real *logp = dout + outputs;
    double loss;

    /* go forward through the plain network */
    block_forward(&a, w);
    block_forward(&b, w);
    linear_forward(n, 49 * m->c2, m->hidden, b.p, w + t[6].at, w + t[7].at, h);
    relu_forward(hidden, h, h);
    linear_forward(n, m->hidden, MODEL_DIGITS, h, w + t[8].at, w + t[9].at, o);
    loss = xent_forward(n, MODEL_DIGITS, o, label, logp);
    /* go back through the plain network */
    xent_backward(n, MODEL_DIGITS, logp, label, dout);
    linear_backward(n, m->hidden, MODEL_DIGITS, h, w + t[8].at, dout, dh,
                    grad + t[8].at, grad + t[9].at);
    relu_backward(hidden, h, dh, dh);
    linear_backward(n, 49 * m->c2, m->hidden, b.p, w + t[6].at, dh, b.dp,
                    grad + t[6].at, grad + t[7].at);
    block_backward(&b, w, grad, a.dp);
    block_backward(&a, w, grad, NULL);
    free(a.z);
    free(a.which);
    free(b.z);
    free(b.which);
    free(h);
    return loss;
}

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

/* hold the plain network */
struct plain_block {
    struct conv v;
    const real *x; /* what comes in: not ours */
    real *z, *y, *dy, *p, *dp, *mean, *var;
    unsigned char *which;
    size_t weight, scale, bias;
};

struct plain {
    struct model m;
    int n;
    const int *label;
    struct plain_block block[2];
    real *h, *dh, *o, *dout, *logp;
};

/* go through a plain block */
static void block_forward(struct plain_block *b, const real *w)
{
    const struct conv *v = &b->v;
    int pixels = v->h * v->w;

    conv_forward(v, b->x, w + b->weight, b->z);
    batchnorm_moments(v->n, v->k, pixels, b->z, b->mean, b->var);
    batchnorm_apply(v->n, v->k, pixels, EPSILON, b->z, b->mean, b->var,
                    w + b->scale, w + b->bias, b->y);
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
                       w + b->scale, b->dy, b->dy, g + b->scale, g + b->bias);
    conv_filter_gradient(v, b->x, b->dy, g + b->weight);
    if (dx)
        conv_input_gradient(v, b->dy, w + b->weight, dx);
}

/* go through the plain network */
double plain_loss(struct plain *p, const real *w, const real *x,
                  const int *label)
{
    const struct model_tensor *t = p->m.tensor;
    int hidden = p->m.hidden;

    p->block[0].x = x;
    p->label = label;
    block_forward(&p->block[0], w);
    block_forward(&p->block[1], w);
    linear_forward(p->n, 49 * p->m.c2, hidden, p->block[1].p, w + t[6].at,
                   w + t[7].at, p->h);
    relu_forward((size_t)p->n * hidden, p->h, p->h);
    linear_forward(p->n, hidden, MODEL_DIGITS, p->h, w + t[8].at, w + t[9].at,
                   p->o);
    return xent_forward(p->n, MODEL_DIGITS, p->o, label, p->logp);
}
void plain_gradient(struct plain *p, const real *w, real *grad)
{
    const struct model_tensor *t = p->m.tensor;
    struct plain_block *b = p->block;
    int hidden = p->m.hidden;

    xent_backward(p->n, MODEL_DIGITS, p->logp, p->label, p->dout);
    linear_backward(p->n, hidden, MODEL_DIGITS, p->h, w + t[8].at, p->dout,
                    p->dh, grad + t[8].at, grad + t[9].at);
    relu_backward((size_t)p->n * hidden, p->h, p->dh, p->dh);
    linear_backward(p->n, 49 * p->m.c2, hidden, b[1].p, w + t[6].at, p->dh,
                    b[1].dp, grad + t[6].at, grad + t[7].at);
    block_backward(&b[1], w, grad, b[0].dp);
    block_backward(&b[0], w, grad, NULL);
}

/* open the plain network */
static real *plain_room(size_t count)
{
    return (real *)check_alloc(count, sizeof(real));
}

static void open_block(struct plain *p, int i, int side, int in, int out)
{
    struct plain_block *b = &p->block[i];
    struct conv v = {p->n, in, side, side, out, 3, 3, 1, 1, 1};
    size_t outputs = conv_y(&v);

    b->v = v;
    b->x = i ? p->block[0].p : NULL;
    b->z = plain_room(outputs);
    b->y = plain_room(outputs);
    b->dy = plain_room(outputs);
    b->p = plain_room(outputs / 4);
    b->dp = plain_room(outputs / 4);
    b->mean = plain_room((size_t)out);
    b->var = plain_room((size_t)out);
    b->which = (unsigned char *)check_alloc(outputs / 4, 1);
    b->weight = p->m.tensor[3 * i].at;
    b->scale = p->m.tensor[3 * i + 1].at;
    b->bias = p->m.tensor[3 * i + 2].at;
}
struct plain *plain_open(const struct model *m, int n)
{
    struct plain *p = (struct plain *)check_alloc(1, sizeof *p);

    p->m = *m;
    p->n = n;
    open_block(p, 0, MODEL_SIDE, 1, m->c1);
    open_block(p, 1, MODEL_SIDE / 2, m->c1, m->c2);
    p->h = plain_room((size_t)n * m->hidden);
    p->dh = plain_room((size_t)n * m->hidden);
    p->o = plain_room((size_t)n * MODEL_DIGITS);
    p->dout = plain_room((size_t)n * MODEL_DIGITS);
    p->logp = plain_room((size_t)n * MODEL_DIGITS);
    return p;
}
void plain_close(struct plain *p)
{
    real *all[] = {p->h, p->dh, p->o, p->dout, p->logp};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    for (struct plain_block *b = p->block; b < p->block + 2; b++) {
        real *each[] = {b->z, b->y, b->dy, b->p, b->dp, b->mean, b->var};

        for (size_t i = 0; i < sizeof each / sizeof *each; i++)
            free(each[i]);
        free(b->which);
    }
    free(p);
}

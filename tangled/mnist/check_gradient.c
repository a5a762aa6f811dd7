/* check_gradient: the whole network in double, against differences of its loss
   and against the network that the references of earlier chapters make. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conv/reference_d.h"
#include "grad/gradcheck.h"
#include "layers/reference_d.h"
#include "mnist/step_d.h"
#include "random/init.h"
#include "tour/args.h"

/* compare the gradient with differences */
static double loss_of(void *net)
{
    net_forward(net, 1);
    return net_loss(net);
}

/* Returns 0 when there is a kink or a tie too near: then draw another point. */
static int check_differences(struct net *c)
{
    loss_of(c);
    net_backward(c);
    for (int t = 0; t < LEARNED; t++) {
        const struct tensor *s = &c->m.tensor[t];
        struct gradcheck r =
            gradcheck_some(loss_of, c, c->w + s->at, s->count, c->g + s->at,
                           GRADCHECK_STEP, 50, 1);

        if (r.error > 1e-6 && r.error * r.norm < 4 * r.bend)
            return 0;
        printf("%-12s %.1e\n", s->name, r.error);
        GRADCHECK(s->name, r, 1e-6);
    }
    return 1;
}

/* hold a plain block */
struct plain_block {
    struct conv v;
    const double *x, *w; /* filters, scale, bias: as they follow each other */
    double *z, *y, *dy, *p, *dp, *mean, *var;
    unsigned char *winner;
};

static struct plain_block plain_open(struct conv v, const double *x,
                                     const double *w)
{
    size_t y = conv_y(&v);
    double *z = check_alloc(3 * y + y / 2 + 2 * (size_t)v.k, sizeof *z);
    double *p = z + 3 * y, *mean = p + y / 2;

    return (struct plain_block){v,
                                x,
                                w,
                                z,
                                z + y,
                                z + 2 * y,
                                p,
                                p + y / 4,
                                mean,
                                mean + v.k,
                                check_alloc(y / 4, 1)};
}

static void plain_forward(struct plain_block *b)
{
    const struct conv *v = &b->v;
    const double *scale = b->w + 9 * v->c * v->k;

    conv_forward(v, b->x, b->w, b->z);
    batchnorm_moments(v->n, v->k, v->h * v->w, b->z, b->mean, b->var);
    batchnorm_apply(v->n, v->k, v->h * v->w, 1e-5, b->z, b->mean, b->var, scale,
                    scale + v->k, b->y);
    relu_forward(conv_y(v), b->y, b->y);
    maxpool_forward(v->n * v->k, v->h, v->w, b->y, b->p, b->winner);
}

static void plain_backward(struct plain_block *b, double *g, double *dx)
{
    const struct conv *v = &b->v;
    int filters = 9 * v->c * v->k;

    maxpool_backward(v->n * v->k, v->h, v->w, b->dp, b->winner, b->dy);
    relu_backward(conv_y(v), b->y, b->dy, b->dy);
    batchnorm_backward(v->n, v->k, v->h * v->w, 1e-5, b->z, b->mean, b->var,
                       b->w + filters, b->dy, b->dy, g + filters,
                       g + filters + v->k);
    conv_filter_gradient(v, b->x, b->dy, g);
    if (dx)
        conv_input_gradient(v, b->dy, b->w, dx);
    free(b->z);
    free(b->winner);
}

/* go through the plain network */
static double plain_step(const struct net *c, const double *x, double *g)
{
    const struct tensor *t = c->m.tensor;
    const double *w = c->w;
    int n = c->n, c1 = c->m.c1, c2 = c->m.c2, hidden = c->m.hidden;
    struct plain_block a = plain_open(
        (struct conv){n, 1, 28, 28, c1, 3, 3, 1, 1, 1}, x, w + t[CONV1_W].at);
    struct plain_block b =
        plain_open((struct conv){n, c1, 14, 14, c2, 3, 3, 1, 1, 1}, a.p,
                   w + t[CONV2_W].at);
    size_t hs = (size_t)n * hidden, os = (size_t)n * DIGIT_KINDS;
    double *h = check_alloc(2 * hs + 3 * os, sizeof *h), *dh = h + hs;
    double *o = dh + hs, *d = o + os, *logp = d + os, loss;

    /* go forward through the plain network */
    plain_forward(&a);
    plain_forward(&b);
    linear_forward(n, 49 * c2, hidden, b.p, w + t[FC1_W].at, w + t[FC1_B].at,
                   h);
    relu_forward(hs, h, h);
    linear_forward(n, hidden, DIGIT_KINDS, h, w + t[FC2_W].at, w + t[FC2_B].at,
                   o);
    loss = xent_forward(n, DIGIT_KINDS, o, c->label, logp);
    /* go back through the plain network */
    xent_backward(n, DIGIT_KINDS, logp, c->label, d);
    linear_backward(n, hidden, DIGIT_KINDS, h, w + t[FC2_W].at, d, dh,
                    g + t[FC2_W].at, g + t[FC2_B].at);
    relu_backward(hs, h, dh, dh);
    linear_backward(n, 49 * c2, hidden, b.p, w + t[FC1_W].at, dh, b.dp,
                    g + t[FC1_W].at, g + t[FC1_B].at);
    plain_backward(&b, g + t[CONV2_W].at, a.dp);
    plain_backward(&a, g + t[CONV1_W].at, NULL);
    free(h);
    return loss;
}

static double distance(const double *a, const double *b, size_t n)
{
    double d = 0, norm = 0;

    for (size_t i = 0; i < n; i++) {
        d += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return norm > 0 ? sqrt(d / norm) : sqrt(d);
}

static void check_plain(struct net *c)
{
    size_t pixels = (size_t)c->n * DIGIT_PIXELS;
    double *x = check_alloc(pixels, sizeof *x);
    double *want = check_alloc(c->m.count, sizeof *want), loss;

    for (size_t i = 0; i < pixels; i++)
        x[i] = c->pixels[i];
    loss = plain_step(c, x, want);
    CHECK_NEAR(loss_of(c), loss, 1e-12 * loss, "sums in another order");
    net_backward(c);
    for (int t = 0; t < LEARNED; t++)
        CHECK(distance(c->g + c->m.tensor[t].at, want + c->m.tensor[t].at,
                       c->m.tensor[t].count) <= 1e-11,
              "%s: the gradient is not that of the plain network",
              c->m.tensor[t].name);
    free(x);
    free(want);
}

/* compare numbers of threads */
static void check_threads(struct net *c)
{
    double *one = check_alloc(c->m.count, sizeof *one);

    memcpy(one, c->g, c->m.count * sizeof *one);
    for (c->threads = 2; c->threads <= 8; c->threads += 3) {
        memset(c->g, 0, c->m.count * sizeof *one);
        loss_of(c);
        net_backward(c);
        CHECK(memcmp(one, c->g, c->m.count * sizeof *one) == 0,
              "%d threads give other bits than one", c->threads);
    }
    c->threads = 1;
    free(one);
}

static void draw(struct net *c, uint64_t seed)
{
    static unsigned char pixels[32 * DIGIT_PIXELS], labels[32];
    struct digits noise = {c->batch, pixels, labels};

    model_init(&c->m, c->w, seed);
    for (size_t i = 0; i < c->m.total; i++)
        c->w[i] += 0.1 * draw_signed(philox_word(seed, 100, i));
    for (int i = 0; i < c->batch * DIGIT_PIXELS; i++)
        pixels[i] = philox_word(seed, 101, (uint64_t)i) & 255;
    for (int i = 0; i < c->batch; i++)
        labels[i] = philox_word(seed, 102, (uint64_t)i) % DIGIT_KINDS;
    net_load(c, &noise, NULL, 0, c->batch);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("width", 3, 1, 32),
                         ARG_SIZE("batch", 5, 2, 32)};
    uint64_t seed = args_parse(argc, argv, "checks the gradient of the network",
                               args, ARG_COUNT(args));
    struct model m = model_make((int)args[0].value);
    struct net *c = net_open(&m, (int)args[1].value, 1);

    draw(c, seed);
    check_plain(c);
    check_threads(c);
    for (uint64_t tries = 1; !check_differences(c); tries++) {
        CHECK(tries < 20, "20 points near a kink");
        draw(c, seed + tries);
    }
    printf("ok: width %d, batch %d\n", m.width, c->batch);
    net_close(c);
    return 0;
}

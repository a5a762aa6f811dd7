/* gallery: what training says about wrong gradients, and what a check says. */
#include <stdio.h>

#include "grad/gradcheck.h"
#include "layers/reference_d.h"
#include "tour/args.h"
#include "tour/drawings.h"

/* set up a small network */
enum { CELLS = 49, HIDDEN = 40, DIGITS = 10, BATCH = 16 };
enum { W1 = 0, B1 = W1 + HIDDEN * CELLS, W2 = B1 + HIDDEN };
enum { B2 = W2 + DIGITS * HIDDEN, WEIGHTS = B2 + DIGITS };

struct net {
    double p[WEIGHTS], x[BATCH * CELLS], h[BATCH * HIDDEN], y[BATCH * DIGITS];
    double logp[BATCH * DIGITS];
    int label[BATCH];
};

static double net_loss(void *work)
{
    struct net *s = (struct net *)work;

    linear_forward(BATCH, CELLS, HIDDEN, s->x, s->p + W1, s->p + B1, s->h);
    relu_forward(BATCH * HIDDEN, s->h, s->h);
    linear_forward(BATCH, HIDDEN, DIGITS, s->h, s->p + W2, s->p + B2, s->y);
    return xent_forward(BATCH, DIGITS, s->y, s->label, s->logp);
}

/* draw a batch of digits */
static void draw_batch(struct net *s, uint64_t *seed)
{
    unsigned char ink[PAPER * PAPER];

    for (int i = 0; i < BATCH * CELLS; i++)
        s->x[i] = 0.9 * rng_float(seed) - 0.45;
    for (int b = 0; b < BATCH; b++) {
        int right = (int)rng_below(seed, 3) - 1;
        int down = (int)rng_below(seed, 3) - 1;

        s->label[b] = (int)rng_below(seed, DIGITS);
        draw_digit(ink, s->label[b]);
        for (int r = 1; r < PAPER - 1; r++)
            for (int c = 1; c < PAPER - 1; c++)
                s->x[b * CELLS + (r + down) / 2 * 7 + (c + right) / 2] +=
                    ink[r * PAPER + c] / 1020.0;
    }
}

/* name the faults */
enum fault { NONE, PUBLISHED, NO_MASK, NO_MEAN, FAULTS };

static const char *const fault_names[] = {"right", "as published", "no mask",
                                          "sum for the mean"};

/* plant the faults */
/* What is left of the gradients dw [out][in] and db [out]. */
static void published(int out, int in, double *dw, double *db)
{
    int down = (out + 31) / 32, across = (in + 31) / 32;
    double *g = (double *)check_alloc((size_t)in * (size_t)out, sizeof *g);

    for (int k = 0; k < in && k < 32 * down; k++)
        for (int j = 0; j < out && j < 32 * across; j++)
            g[k * out + j] = dw[j * in + k];
    for (int i = 0; i < down * in; i++)
        g[i] += 32 * dw[i];
    for (int k = 0; k < in; k++)
        for (int j = 0; j < out; j++)
            dw[j * in + k] = g[k * out + j];
    for (int j = 0; j < out; j++)
        db[j] *= j < down ? 32 : 0;
    free(g);
}

/* go back through the network */
static void net_slope(struct net *s, int fault, double *dp)
{
    static double dy[BATCH * DIGITS], dh[BATCH * HIDDEN];

    net_loss(s);
    xent_backward(BATCH, DIGITS, s->logp, s->label, dy);
    linear_backward(BATCH, HIDDEN, DIGITS, s->h, s->p + W2, dy, dh, dp + W2,
                    dp + B2);
    if (fault != NO_MASK)
        relu_backward(BATCH * HIDDEN, s->h, dh, dh);
    linear_backward(BATCH, CELLS, HIDDEN, s->x, s->p + W1, dh, NULL, dp + W1,
                    dp + B1);
    if (fault == PUBLISHED) {
        published(DIGITS, HIDDEN, dp + W2, dp + B2);
        published(HIDDEN, CELLS, dp + W1, dp + B1);
    }
    for (int i = 0; fault == NO_MEAN && i < WEIGHTS; i++)
        dp[i] *= BATCH;
}

/* count what the published launches leave */
static void count_published(int out, int in)
{
    int n = out * in, right = 0, zero = 0;
    double *dw = (double *)check_alloc((size_t)n, sizeof *dw);
    double *db = (double *)check_alloc((size_t)out, sizeof *db);

    for (int i = 0; i < n; i++)
        dw[i] = 1;
    published(out, in, dw, db);
    for (int i = 0; i < n; i++) {
        right += dw[i] == 1;
        zero += dw[i] == 0;
    }
    printf("%4d x %-4d %7d of %7d right, %7d zero, %6d something else\n", out,
           in, right, n, zero, n - right - zero);
    free(dw);
    free(db);
}

/* train with a fault */
/* How near the nearest hidden sum comes to the kink of its ReLU. */
static double net_nearest(struct net *s)
{
    double nearest = INFINITY;

    linear_forward(BATCH, CELLS, HIDDEN, s->x, s->p + W1, s->p + B1, s->h);
    for (int i = 0; i < BATCH * HIDDEN; i++)
        nearest = fmin(nearest, fabs(s->h[i]));
    return nearest;
}
static double net_marks(struct net *s, uint64_t seed)
{
    int right = 0, all = 0;

    while (all < 1000) {
        draw_batch(s, &seed);
        net_loss(s);
        for (int b = 0; b < BATCH; b++, all++) {
            int best = 0;

            for (int j = 1; j < DIGITS; j++)
                if (s->y[b * DIGITS + j] > s->y[b * DIGITS + best])
                    best = j;
            right += best == s->label[b];
        }
    }
    return 100.0 * right / all;
}

static void train(int fault, uint64_t seed)
{
    static struct net s;
    static double dp[WEIGHTS];
    struct gradcheck r;
    double first, loss;

    for (int i = 0; i < WEIGHTS; i++)
        s.p[i] = 0.4 * (rng_float(&seed) - 0.5);
    do
        draw_batch(&s, &seed);
    while (net_nearest(&s) < 0x1p-15);
    /* check once and then train */
    net_slope(&s, fault, dp);
    r = gradcheck(net_loss, &s, s.p, WEIGHTS, dp);
    first = loss = net_loss(&s);
    for (int step = 0; step < 400; step++) {
        draw_batch(&s, &seed);
        loss += 0.05 * (net_loss(&s) - loss);
        net_slope(&s, fault, dp);
        sgd_step(WEIGHTS, 0.1, dp, s.p);
    }
    printf("%-17s %9.1e %6.2f %6.2f %5.0f%%\n", fault_names[fault], r.error,
           first, loss, net_marks(&s, seed + 1));
    CHECK((fault == NONE) == (r.error <= 1e-6), "%s: off by %.3g",
          fault_names[fault], r.error);
}

int main(int argc, char **argv)
{
    uint64_t seed =
        args_parse(argc, argv, "training with wrong gradients", NULL, 0);

    count_published(10, 4096);
    count_published(4096, 784);
    printf("\n%-17s %9s %6s %6s %6s\n", "gradients", "off by", "loss", "later",
           "right");
    for (int fault = 0; fault < FAULTS; fault++)
        train(fault, seed);
    return 0;
}

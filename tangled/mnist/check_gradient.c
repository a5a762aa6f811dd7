/* check_gradient: the step in double, against differences of the loss of the
   network that the references of earlier chapters make. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conv/reference_d.h"
#include "grad/gradcheck.h"
#include "layers/reference_d.h"
#include "mnist/step_d.h"
#include "random/init.h"
#include "tour/args.h"

/* go through the plain network */
/* w: filters, scale, bias, as they follow each other. free() the result. */
static double *plain_block(struct conv v, const double *x, const double *w)
{
    int filters = 9 * v.c * v.k, plane = v.h * v.w;
    size_t y = conv_y(&v);
    double *z = check_alloc(y + 2 * (size_t)v.k, sizeof *z), *mean = z + y;
    double *p = check_alloc(y / 4, sizeof *p);
    unsigned char *winner = check_alloc(y / 4, 1);

    conv_forward(&v, x, w, z);
    batchnorm_moments(v.n, v.k, plane, z, mean, mean + v.k);
    batchnorm_apply(v.n, v.k, plane, 1e-5, z, mean, mean + v.k, w + filters,
                    w + filters + v.k, z);
    relu_forward(y, z, z);
    maxpool_forward(v.n * v.k, v.h, v.w, z, p, winner);
    free(z);
    free(winner);
    return p;
}

static double plain_loss(void *net)
{
    const struct net *c = net;
    const struct tensor *t = c->m.tensor;
    const double *w = c->w;
    int n = c->n, hidden = c->m.hidden, pixels = n * DIGIT_PIXELS;
    int flat = 49 * c->m.c2, kinds = DIGIT_KINDS;
    struct conv first = {n, 1, 28, 28, c->m.c1, 3, 3, 1, 1, 1};
    struct conv second = {n, c->m.c1, 14, 14, c->m.c2, 3, 3, 1, 1, 1};
    size_t head = (size_t)n * (hidden + 2 * kinds);
    double *x = check_alloc((size_t)pixels + head, sizeof *x);
    double *h = x + pixels, *o = h + n * hidden, *logp = o + n * kinds;
    double *a, *b, loss;

    for (int i = 0; i < pixels; i++)
        x[i] = c->pixels[i];
    /* go forward through the plain network */
    a = plain_block(first, x, w + t[CONV1_W].at);
    b = plain_block(second, a, w + t[CONV2_W].at);
    linear_forward(n, flat, hidden, b, w + t[FC1_W].at, w + t[FC1_B].at, h);
    relu_forward((size_t)n * hidden, h, h);
    linear_forward(n, hidden, kinds, h, w + t[FC2_W].at, w + t[FC2_B].at, o);
    loss = xent_forward(n, kinds, o, c->label, logp);
    free(x);
    free(a);
    free(b);
    return loss;
}

/* compare the gradient with differences */
/* Returns 0 when there is a kink or a tie too near: then draw another point. */
static int check_differences(struct net *c)
{
    double loss = plain_loss(c);

    net_forward(c, 1);
    CHECK_NEAR(net_loss(c), loss, 1e-12 * loss, "sums in another order");
    net_backward(c);
    for (int t = 0; t < LEARNED; t++) {
        const struct tensor *s = &c->m.tensor[t];
        struct gradcheck r =
            gradcheck_some(plain_loss, c, c->w + s->at, s->count, c->g + s->at,
                           GRADCHECK_STEP, 50, 1);

        if (r.error > 1e-6 && r.error * r.norm < 4 * r.bend)
            return 0;
        printf("%-12s %.1e\n", s->name, r.error);
        GRADCHECK(s->name, r, 1e-6);
    }
    return 1;
}

/* go through an epoch by hand */
static void check_epoch(struct net *c, uint64_t seed)
{
    enum { MOST = 3 * 32 };
    static unsigned char pixels[MOST * DIGIT_PIXELS], labels[MOST];
    int n = 3 * c->batch - 1, order[MOST] = {0};
    struct digits noise = {n, pixels, labels};
    size_t total = c->m.total;
    double *w = check_alloc(2 * total, sizeof *w), *after = w + total;
    double loss, sum = 0, lr = 0.01;

    for (int i = 0; i < n * DIGIT_PIXELS; i++)
        pixels[i] = philox_word(seed, 103, (uint64_t)i) & 255;
    for (int i = 0; i < n; i++) {
        labels[i] = philox_word(seed, 104, (uint64_t)i) % DIGIT_KINDS;
        order[i] = n - 1 - i;
    }
    memcpy(w, c->w, total * sizeof *w);
    loss = net_epoch(c, &noise, order, c->batch, lr);
    memcpy(after, c->w, total * sizeof *w);
    memcpy(c->w, w, total * sizeof *w);
    for (int first = 0; first < 2 * c->batch; first += c->batch) {
        net_load(c, &noise, order, first, c->batch);
        net_forward(c, 1);
        sum += net_loss(c);
        net_backward(c);
        for (size_t i = 0; i < c->m.count; i++)
            c->w[i] -= lr * c->g[i];
    }
    CHECK_NEAR(loss, sum / 2, 1e-12 * sum, "its products may be fused");
    for (size_t i = 0; i < total; i++)
        CHECK_NEAR(after[i], c->w[i], 1e-12 * (1 + fabs(after[i])),
                   "its products may be fused");
    free(w);
}

/* draw a network and check it */
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
    struct net *c = net_open(&m, (int)args[1].value, 2);
    int tries = 0;

    do {
        CHECK(tries < 20, "20 points near a kink");
        draw(c, seed + (uint64_t)tries++);
    } while (!check_differences(c));
    check_epoch(c, seed);
    c->w[0] = NAN;
    net_forward(c, 1);
    CHECK(isnan(net_loss(c)), "a NaN among the filters is lost");
    printf("ok: width %d, batch %d\n", m.width, c->batch);
    net_close(c);
    return 0;
}

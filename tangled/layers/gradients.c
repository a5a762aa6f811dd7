/* gradients: each layer's backward pass against finite differences. */
#include <stdio.h>

#include "grad/gradcheck.h"
#include "layers/reference_d.h"
#include "tour/args.h"

#define EPS 1e-5

/* describe a layer to the check */
enum { MOST = 4096 };

struct probe {
    const char *name;
    int size[3];
    size_t in, out;             /* numbers that go in, come out */
    double (*loss)(void *work); /* from p and r */
    void (*slope)(struct probe *, double *dp); /* the gradient by p */
    int label[64];
    double p[MOST], r[MOST], y[MOST];
};

static double weigh(const struct probe *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->out; i++)
        sum += s->r[i] * s->y[i];
    return sum;
}

/* check a linear layer */
static double linear_loss(void *work)
{
    struct probe *s = (struct probe *)work;
    int b = s->size[0], in = s->size[1], out = s->size[2];

    linear_forward(b, in, out, s->p, s->p + b * in, s->p + (b + out) * in,
                   s->y);
    return weigh(s);
}

static void linear_slope(struct probe *s, double *dp)
{
    int b = s->size[0], in = s->size[1], out = s->size[2];

    linear_backward(b, in, out, s->p, s->p + b * in, s->r, dp, dp + b * in,
                    dp + (b + out) * in);
}

/* check ReLU and max-pool */
static double relu_loss(void *work)
{
    struct probe *s = (struct probe *)work;

    relu_forward(s->in, s->p, s->y);
    return weigh(s);
}

static void relu_slope(struct probe *s, double *dp)
{
    relu_forward(s->in, s->p, s->y);
    relu_backward(s->in, s->y, s->r, dp);
}

static double pool_loss(void *work)
{
    struct probe *s = (struct probe *)work;
    unsigned char which[MOST];

    maxpool_forward(s->size[0], s->size[1], s->size[2], s->p, s->y, which);
    return weigh(s);
}

static void pool_slope(struct probe *s, double *dp)
{
    unsigned char which[MOST];

    maxpool_forward(s->size[0], s->size[1], s->size[2], s->p, s->y, which);
    maxpool_backward(s->size[0], s->size[1], s->size[2], s->r, which, dp);
}

/* check batch norm */
static double norm_loss(void *work)
{
    struct probe *s = (struct probe *)work;
    int n = s->size[0], c = s->size[1], hw = s->size[2];
    double *scale = s->p + n * c * hw, mean[64], var[64];

    batchnorm_moments(n, c, hw, s->p, mean, var);
    batchnorm_apply(n, c, hw, EPS, s->p, mean, var, scale, scale + c, s->y);
    return weigh(s);
}

static void norm_slope(struct probe *s, double *dp)
{
    int n = s->size[0], c = s->size[1], hw = s->size[2];
    double *scale = s->p + n * c * hw, *ds = dp + n * c * hw;
    double mean[64], var[64];

    batchnorm_moments(n, c, hw, s->p, mean, var);
    batchnorm_backward(n, c, hw, EPS, s->p, mean, var, scale, s->r, dp, ds,
                       ds + c);
    /* see that the gradient is a projection */
    for (int k = 0; k < c; k++) {
        double sum = 0, with = 0, sd = sqrt(var[k] + EPS);

        for (int i = 0; i < n * c * hw; i++)
            if (i / hw % c == k) {
                sum += dp[i];
                with += dp[i] * (s->p[i] - mean[k]) / sd;
            }
        CHECK_NEAR(sum, 0, 1e-12, "no slope along (1, ..., 1)");
        CHECK_NEAR(with, scale[k] * ds[k] * EPS / (sd * sd * sd), 1e-12,
                   "next to none along x");
    }
}

/* check the loss */
static double soft_loss(void *work)
{
    struct probe *s = (struct probe *)work;

    log_softmax_forward(s->size[0], s->size[1], s->p, s->y);
    return weigh(s);
}

static void soft_slope(struct probe *s, double *dp)
{
    log_softmax_forward(s->size[0], s->size[1], s->p, s->y);
    log_softmax_backward(s->size[0], s->size[1], s->y, s->r, dp);
}

static double loss_loss(void *work)
{
    struct probe *s = (struct probe *)work;

    return xent_forward(s->size[0], s->size[1], s->p, s->label, s->y);
}

static void loss_slope(struct probe *s, double *dp)
{
    loss_loss(s);
    xent_backward(s->size[0], s->size[1], s->y, s->label, dp);
}

/* fill the inputs */
static void fill(struct probe *s, uint64_t *seed)
{
    for (size_t i = 0; i < s->in; i++)
        s->p[i] = 2 * (double)rng_float(seed) - 1;
    for (size_t i = 0; i < s->out; i++)
        s->r[i] = 2 * (double)rng_float(seed) - 1;
    for (int i = 0; i < 64; i++)
        s->label[i] = (int)rng_below(seed, (uint32_t)s->size[1]);
    for (size_t i = 0; s->loss == relu_loss && i < s->in; i++)
        s->p[i] += s->p[i] < 0 ? -0.1 : 0.1;
    for (size_t i = 0; s->loss == pool_loss && i < s->in; i++) {
        size_t w = (size_t)s->size[2], row = i / w, col = i % w;
        uint32_t turn = rng_mix(*seed + row / 2 * w + col / 2) % 4;

        s->p[i] = 0.3 * s->p[i] + (double)((row % 2 * 2 + col % 2) ^ turn);
    }
    rng_u64(seed);
}

/* check one layer */
static void check(struct probe s, uint64_t *seed)
{
    static double dp[MOST];
    struct gradcheck r;

    CHECK(s.in <= MOST && s.out <= MOST, "%s: too many numbers", s.name);
    fill(&s, seed);
    poison(dp, sizeof dp);
    s.slope(&s, dp);
    r = gradcheck(s.loss, &s, s.p, s.in, dp);
    printf("%-12s %4zu entries, off by %.1e\n", s.name, r.count, r.error);
    GRADCHECK(s.name, r, 1e-6);
}

int main(int argc, char **argv)
{
    /* list what to check */
    static const struct probe probes[] = {
        {.name = "linear", {7, 12, 5}, 149, 35, linear_loss, linear_slope},
        {.name = "linear", {1, 1, 1}, 3, 1, linear_loss, linear_slope},
        {.name = "linear", {6, 6, 6}, 78, 36, linear_loss, linear_slope},
        {.name = "relu", {99, 1, 1}, 99, 99, relu_loss, relu_slope},
        {.name = "batch norm", {4, 3, 15}, 186, 180, norm_loss, norm_slope},
        {.name = "batch norm", {1, 2, 9}, 22, 18, norm_loss, norm_slope},
        {.name = "max-pool", {3, 6, 8}, 144, 36, pool_loss, pool_slope},
        {.name = "max-pool", {2, 4, 7}, 56, 12, pool_loss, pool_slope},
        {.name = "log-softmax", {5, 10, 1}, 50, 50, soft_loss, soft_slope},
        {.name = "loss", {7, 10, 1}, 70, 0, loss_loss, loss_slope},
        {.name = "loss", {1, 2, 1}, 2, 0, loss_loss, loss_slope},
    };
    uint64_t seed =
        args_parse(argc, argv, "layers against differences", NULL, 0);

    for (size_t k = 0; k < sizeof probes / sizeof *probes; k++)
        check(probes[k], &seed);
    return 0;
}

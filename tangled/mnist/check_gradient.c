/* check_gradient: the whole network in double, against differences of its loss
   and against the plain network. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grad/gradcheck.h"
#include "mnist/cpu_d.h"
#include "mnist/plain_d.h"
#include "random/init.h"
#include "tour/args.h"

static double distance(const double *a, const double *b, size_t n)
{
    double d = 0, norm = 0;

    for (size_t i = 0; i < n; i++) {
        d += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return norm > 0 ? sqrt(d / norm) : sqrt(d);
}

/* compare the gradient with differences */
struct work {
    struct cpu *c;
    int n;
    const float *x;
    const int *label;
    double *w;
};

static double loss_of(void *p)
{
    struct work *k = (struct work *)p;

    cpu_set(k->c, k->w);
    cpu_forward(k->c, k->n, k->x, 1);
    return cpu_loss(k->c, k->label);
}
/* Returns 0 when there is a kink or a tie too near: then draw another point. */
static int check_differences(const struct model *m, struct work *k,
                             double *grad)
{
    loss_of(k);
    cpu_backward(k->c);
    cpu_gradient(k->c, grad);
    for (int t = 0; t < MODEL_LEARNED; t++) {
        const struct model_tensor *s = &m->tensor[t];
        struct gradcheck r =
            gradcheck_some(loss_of, k, k->w + s->at, s->count, grad + s->at,
                           GRADCHECK_STEP, 50, 1);

        if (r.error > 1e-6 && r.error * r.norm < 4 * r.bend)
            return 0;
        printf("%-12s %.1e\n", s->name, r.error);
        GRADCHECK(s->name, r, 1e-6);
    }
    return 1;
}

/* compare the fast network with the plain one */
static void check_plain(const struct model *m, struct work *k, double *grad)
{
    double *x = (double *)check_alloc((size_t)k->n * MODEL_PIXELS, sizeof *x);
    double *want = (double *)check_alloc(m->count, sizeof *want), loss;

    for (int i = 0; i < k->n * MODEL_PIXELS; i++)
        x[i] = k->x[i];
    loss = plain_step(m, k->w, k->n, x, k->label, want);
    CHECK_NEAR(loss_of(k), loss, 1e-12 * loss, "sums in another order");
    cpu_backward(k->c);
    cpu_gradient(k->c, grad);
    for (int t = 0; t < MODEL_LEARNED; t++)
        CHECK(distance(grad + m->tensor[t].at, want + m->tensor[t].at,
                       m->tensor[t].count) <= 1e-11,
              "%s: the gradient is not that of the plain network",
              m->tensor[t].name);
    free(x);
    free(want);
}
static void check_threads(const struct model *m, struct work *k,
                          const double *grad)
{
    double *again = (double *)check_alloc(m->count, sizeof *again);

    for (int threads = 2; threads <= 8; threads += 3) {
        cpu_close(k->c);
        k->c = cpu_open(m, k->n, threads);
        loss_of(k);
        cpu_backward(k->c);
        cpu_gradient(k->c, again);
        CHECK(memcmp(again, grad, m->count * sizeof *grad) == 0,
              "%d threads give other bits than one", threads);
    }
    free(again);
}

/* make a network and a batch of noise */
static void draw(struct work *k, const struct model *m, float *w, float *x,
                 int *label, uint64_t seed)
{
    model_init(m, w, seed);
    for (size_t i = 0; i < m->total; i++)
        k->w[i] = w[i] + 0.1 * draw_signed(philox_word(seed, 100, i));
    for (int i = 0; i < k->n * MODEL_PIXELS; i++)
        x[i] = draw_float(philox_word(seed, 101, (uint64_t)i));
    for (int i = 0; i < k->n; i++)
        label[i] = (int)(philox_word(seed, 102, (uint64_t)i) % MODEL_DIGITS);
}
static void check(int width, int n, uint64_t seed)
{
    struct model m = model_make(width);
    float *x = (float *)check_alloc((size_t)n * MODEL_PIXELS, sizeof *x);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    int *label = (int *)check_alloc((size_t)n, sizeof *label);
    double *grad = (double *)check_alloc(m.count, sizeof *grad);
    struct work k = {cpu_open(&m, n, 1), n, x, label, NULL};

    k.w = (double *)check_alloc(m.total, sizeof *k.w);
    draw(&k, &m, w, x, label, seed);
    check_plain(&m, &k, grad);
    check_threads(&m, &k, grad);
    for (int tries = 1; !check_differences(&m, &k, grad); tries++) {
        CHECK(tries < 20, "20 points near a kink");
        draw(&k, &m, w, x, label, seed + (uint64_t)tries);
    }
    cpu_close(k.c);
    free(x);
    free(w);
    free(label);
    free(grad);
    free(k.w);
}
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("width", 3, 1, 32),
                         ARG_SIZE("batch", 5, 2, 32)};
    uint64_t seed = args_parse(argc, argv, "checks the gradient of the network",
                               args, ARG_COUNT(args));

    check((int)args[0].value, (int)args[1].value, seed);
    printf("ok: width %d, batch %d\n", (int)args[0].value, (int)args[1].value);
    return 0;
}

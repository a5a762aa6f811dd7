/* try_xent.cuh: log-softmax and loss on a case. */
#ifndef LAYERS_TRY_XENT_CUH
#define LAYERS_TRY_XENT_CUH

#include "layers/case.cuh"
#include "layers/reference_d.h"
#include "layers/xent.cuh"

/* bound a log-softmax */
/* y = a log-probability of n numbers within `range`. */
static double bound_logp(int n, double range, double y)
{
    double u = BOUND_FLOAT, e = bound_ulps(2, u);
    double sum = 1 + bound_gamma(bound_height(n, WARP), u);
    double rho = exp(range * u) * (1 + e) * sum - 1;

    return bound_up(rho / (1 - rho) + bound_ulps(1, u) * log(n) + u * range +
                    u * fabs(y) + (n + 4) * BOUND_DOUBLE);
}

/* bound a loss */
static void bound_xent(struct layer_case *c)
{
    int b = c->size[0], k = c->size[1];
    size_t n = (size_t)b * k;
    double range = 2.001, worst = 0, most = 0;
    struct array *logp = output(c, "logp", n, 4), *dx = output(c, "dx", n, 4);
    struct array *first = output(c, "first", n, 4);
    struct array *losses = output(c, "losses", b, 4);

    for (size_t i = 0; i < n; i++) {
        first->tol[i] = bound_logp(k, range, first->wide[i]);
        logp->tol[i] = 3 * bound_logp(k, range, logp->wide[i]);
        worst = fmax(worst, logp->tol[i]);
        most = fmax(most, fabs(logp->wide[i]));
        dx->tol[i] = 4 * bound_dot(k + 2, k + 9, BOUND_FLOAT, 2.0 / b);
    }
    for (int i = 0; i < b; i++)
        losses->tol[i] = worst;
    output(c, "loss", 1, 4)->tol[0] =
        worst + bound_sum(b, bound_height(b, 256) + 6, BOUND_FLOAT, most);
    /* go on with the kernel's log-probabilities */
    for (size_t i = 0; i < n; i++) {
        CHECK_NEAR(first->h[i], first->wide[i], first->tol[i], "log-softmax");
        CHECK_NEAR(logp->h[i], logp->wide[i], logp->tol[i], "log-probability");
        first->wide[i] = first->h[i];
        logp->wide[i] = logp->h[i];
    }
}

/* run a loss on a case */
static void xent_kernels(struct layer_case *c)
{
    int b = c->size[0], k = c->size[1], twice = !!strstr(c->name, "twice");
    size_t n = (size_t)b * k;
    float *x = input(c, "x", n)->d, *first = output(c, "first", n, 4)->d;
    float *logp = output(c, "logp", n, 4)->d, *dx = output(c, "dx", n, 4)->d;
    int *label = (int *)input(c, "label", b)->d;

    log_softmax_forward_run(b, k, x, first, 0);
    xent_forward_run(b, k, twice ? first : x, label, logp,
                     output(c, "losses", b, 4)->d, output(c, "loss", 1, 4)->d,
                     0);
    xent_backward_run(b, k, logp, label, dx, 0);
}
static void make_labels(struct layer_case *c, int b, int k)
{
    struct array *a = input(c, "label", b);
    int *label = (int *)a->h;

    for (int i = 0; i < b; i++)
        label[i] = c->recorded ? (int)a->wide[i] : (int)rng_below(&c->seed, k);
    CUDA_CHECK(cudaMemcpy(a->d, label, b * 4, cudaMemcpyHostToDevice));
}

static void xent_reference(struct layer_case *c)
{
    int b = c->size[0], k = c->size[1], twice = !!strstr(c->name, "twice");
    size_t n = (size_t)b * k;
    struct array *x = input(c, "x", n), *first = output(c, "first", n, 4);
    struct array *logp = output(c, "logp", n, 4);
    int *label = (int *)input(c, "label", b)->h;

    log_softmax_forward(b, k, x->wide, first->wide);
    output(c, "loss", 1, 4)->wide[0] =
        xent_forward(b, k, twice ? first->wide : x->wide, label, logp->wide);
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(logp->wide[i], first->wide[i],
                   (k + 8) * BOUND_DOUBLE * (1 - first->wide[i]), "idempotent");
    for (int i = 0; i < b; i++)
        output(c, "losses", b, 4)->wide[i] = -logp->wide[i * k + label[i]];
}
static void xent_slopes(struct layer_case *c)
{
    int b = c->size[0], k = c->size[1], twice = !!strstr(c->name, "twice");
    size_t n = (size_t)b * k;
    struct array *first = output(c, "first", n, 4), *dx = output(c, "dx", n, 4);
    double *dy = (double *)check_alloc(n, sizeof *dy);

    xent_backward(b, k, output(c, "logp", n, 4)->wide,
                  (int *)input(c, "label", b)->h, dy);
    memcpy(dx->wide, dy, n * sizeof *dy);
    if (twice)
        log_softmax_backward(b, k, first->wide, dy, dx->wide);
    free(dy);
}

static void run_xent(struct layer_case *c)
{
    if (!c->nudging)
        make_labels(c, c->size[0], c->size[1]);
    xent_reference(c);
    if (!c->nudging) {
        case_kernels(c, xent_kernels);
        if (!c->recorded)
            bound_xent(c);
    }
    xent_slopes(c);
}

#endif

/* xent: log-softmax and cross-entropy on the device, forward and backward. */
#include <stdio.h>

#include "layers/reference_d.h"
#include "layers/trial.cuh"
#include "layers/xent.cuh"
#include "tour/args.h"

/* bound a log-softmax */
/* y = a log-probability of n numbers within `range`; log_sum <= log(n). */
static double bound_logp(int n, double range, double y)
{
    double u = BOUND_FLOAT, e = bound_ulps(2, u);
    double rho =
        exp(range * u) * (1 + e) * (1 + bound_gamma(bound_height(n, WARP), u)) -
        1;

    return bound_up(rho / (1 - rho) + bound_ulps(1, u) * log(n) + u * range +
                    u * fabs(y) + (n + 4) * BOUND_DOUBLE);
}

/* try a loss */
static void try_xent(int batch, int classes, float range, uint64_t seed)
{
    struct trial t = {seed, 0, {}};
    size_t n = (size_t)batch * classes;
    struct array *x = trial_out(&t, n, 4), *dy = trial_in(&t, n, 0);
    struct array *label = trial_out(&t, batch, 4), *logp = trial_out(&t, n, 4);
    struct array *losses = trial_out(&t, batch, 4), *dx = trial_out(&t, n, 4);
    struct array *loss = trial_out(&t, 1, 4), *y = trial_out(&t, n, 4);
    struct array *back = trial_out(&t, n, 4), *twice = trial_out(&t, n, 4);
    int *known = (int *)label->h;

    for (size_t i = 0; i < n; i++)
        x->h[i] = range * rng_float(&t.seed);
    for (int i = 0; i < batch; i++)
        known[i] = (int)rng_below(&t.seed, classes);
    trial_put(x);
    trial_put(label);
    for (int again = 0; again < 2; again++) {
        /* run a loss and a log-softmax */
        xent_forward_run(batch, classes, x->d, (int *)label->d, logp->d,
                         losses->d, loss->d, 0);
        xent_backward_run(batch, classes, logp->d, (int *)label->d, dx->d, 0);
        log_softmax_forward_run(batch, classes, x->d, y->d, 0);
        log_softmax_backward_run(batch, classes, y->d, dy->d, back->d, 0);
        log_softmax_forward_run(batch, classes, y->d, twice->d, 0);
        trial_fetch(&t, again);
    }
    /* compare a loss with the reference */
    loss->wide[0] = xent_forward(batch, classes, x->wide, known, logp->wide);
    for (size_t i = 0; i < n; i++) {
        double tol = bound_logp(classes, range, logp->wide[i]);

        CHECK_NEAR(logp->h[i], logp->wide[i], tol, "log-probability");
        CHECK(y->h[i] == logp->h[i], "log-softmax %zu: other bits", i);
        CHECK_NEAR(twice->h[i], y->h[i],
                   tol + bound_logp(classes, range + 6, y->h[i]), "E46: twice");
        logp->wide[i] = y->h[i];
        loss->size[0] = fmax(loss->size[0], fabs(logp->wide[i]));
    }
    CHECK_NEAR(loss->h[0], loss->wide[0],
               bound_logp(classes, range, loss->size[0]) +
                   bound_sum(batch, bound_height(batch, 256) + 6, BOUND_FLOAT,
                             loss->size[0]),
               "loss");
    /* compare the gradients of a loss */
    xent_backward(batch, classes, logp->wide, known, dx->wide);
    log_softmax_backward(batch, classes, logp->wide, dy->wide, back->wide);
    for (size_t i = 0; i < n; i++) {
        double p = exp(logp->wide[i]), size = 0;

        for (size_t j = i - i % classes; j < i - i % classes + classes; j++)
            size += dy->size[j];
        CHECK_NEAR(dx->h[i], dx->wide[i],
                   bound_dot(2, 7, BOUND_FLOAT, (p + 1) / batch),
                   "dx of the loss");
        CHECK_NEAR(back->h[i], back->wide[i],
                   bound_dot(classes, bound_height(classes, WARP) + 8,
                             BOUND_FLOAT, dy->size[i] + p * size),
                   "dx of log-softmax");
    }
    trial_free(&t);
}

/* try a wrong label */
static void try_label(int wrong)
{
    float x[6] = {1, 2, 3, 4, 5, 6}, got[16], *d;
    int label[3] = {0, wrong, 1}, *d_label;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof got + sizeof x));
    CUDA_CHECK(cudaMalloc((void **)&d_label, sizeof label));
    CUDA_CHECK(cudaMemcpy(d + 16, x, sizeof x, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy(d_label, label, sizeof label, cudaMemcpyHostToDevice));
    xent_forward_run(3, 2, d + 16, d_label, d, d + 6, d + 9, 0);
    xent_backward_run(3, 2, d, d_label, d + 10, 0);
    CUDA_CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3; i++) {
        int nan = isnan(got[6 + i]) && isnan(got[10 + 2 * i]);

        CHECK(!isnan(got[2 * i]) && (i == 1) == nan, "label %d: sample %d",
              wrong, i);
    }
    CHECK(isnan(got[9]), "label %d: the mean loss is %g", wrong, got[9]);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_label));
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{1, 1},  {1, 2},   {3, 10},  {5, 31},
                                   {7, 32}, {33, 33}, {129, 3}, {2, 129}};
    struct arg args[] = {ARG_SIZE("batch", 300, 1, 1 << 20),
                         ARG_SIZE("classes", 10, 1, 4096)};
    uint64_t seed = args_parse(argc, argv, "the loss, tried", args, 2);

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        try_xent(sizes[k][0], sizes[k][1], k % 2 ? 200 : 4, seed + k);
    try_xent((int)args[0].value, (int)args[1].value, 20, seed);
    try_label(2);
    try_label(-1);
    printf("ok: log-softmax and cross-entropy, 9 sizes, 2 wrong labels\n");
    return 0;
}

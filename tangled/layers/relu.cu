/* relu: ReLU and the step of gradient descent, on the device. */
#include <stdio.h>

#include "layers/reference_d.h"
#include "layers/relu.cuh"
#include "layers/sgd.cuh"
#include "layers/trial.cuh"
#include "tour/args.h"

/* try a ReLU */
static void try_relu(size_t n, size_t shift, uint64_t seed)
{
    struct trial t = {seed, 0, {}};
    struct array *x = trial_in(&t, n + shift, 0);
    struct array *dy = trial_in(&t, n + shift, 0);
    struct array *y = trial_out(&t, n + shift, 4);
    struct array *dx = trial_out(&t, n + shift, 4);

    if (n > 1)
        x->h[shift] = x->wide[shift] = 0; /* the kink */
    trial_put(x);
    for (int again = 0; again < 2; again++) {
        relu_forward_run(n, x->d + shift, y->d + shift, 0);
        relu_backward_run(n, y->d + shift, dy->d + shift, dx->d + shift, 0);
        trial_fetch(&t, again);
    }
    relu_forward(n, x->wide + shift, y->wide + shift);
    relu_backward(n, y->wide + shift, dy->wide + shift, dx->wide + shift);
    for (size_t i = shift; i < n + shift; i++)
        CHECK(y->h[i] == y->wide[i] && dx->h[i] == dx->wide[i],
              "relu of %zu: element %zu: y %g, dx %g", n, i, y->h[i], dx->h[i]);
    for (size_t i = 0; i < shift; i++)
        CHECK(isnan(y->h[i]) && isnan(dx->h[i]), "written before the start");
    trial_free(&t);
}

/* try what is not ordinary */
static void try_odd_numbers(void)
{
    float h[8] = {NAN, INFINITY, -INFINITY, -0.0f, 1, -1, 0, 2}, y[8], g[8], *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof h));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    relu_forward_run(8, d, d, 0);
    CUDA_CHECK(cudaMemcpy(y, d, sizeof y, cudaMemcpyDeviceToHost));
    relu_backward_run(8, d, d, d, 0);
    CUDA_CHECK(cudaMemcpy(g, d, sizeof g, cudaMemcpyDeviceToHost));
    CHECK(isnan(y[0]) && isnan(g[0]), "a NaN became %g and %g", y[0], g[0]);
    for (int i = 1; i < 8; i++)
        CHECK(y[i] == (h[i] > 0 ? h[i] : 0) && g[i] == y[i], "%g became %g",
              h[i], y[i]);
    CUDA_CHECK(cudaFree(d));
}

/* try a step */
static void try_sgd(size_t n, uint64_t seed)
{
    struct trial t = {seed, 0, {}};
    struct array *dw = trial_in(&t, n, 0), *w = trial_in(&t, n, 0);
    const float rate = 0.05f;

    w->input = 0;
    sgd_run(n, rate, dw->d, w->d, 0);
    sgd_step(n, rate, dw->wide, w->wide);
    for (size_t i = 0; i < n; i++)
        w->size[i] += rate * dw->size[i];
    trial_fetch(&t, 0);
    trial_near(w, "w", 2, 1);
    trial_free(&t);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 4100, 0, 1 << 28)};
    uint64_t seed = args_parse(argc, argv, "ReLU and a step, tried", args, 1);
    size_t n = (size_t)args[0].value;

    for (size_t k = 0; k < 130; k++) {
        try_relu(k, k % 3, seed + k);
        try_sgd(k, seed + k);
    }
    for (size_t shift = 0; shift < 4; shift++)
        try_relu(n, shift, seed);
    try_sgd(n, seed);
    try_odd_numbers();
    printf("ok: ReLU and step of 0 to 129 and %zu numbers\n", n);
    return 0;
}

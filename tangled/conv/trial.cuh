/* trial.cuh: arrays and references for one shape, and how to compare. */
#ifndef CONV_TRIAL_CUH
#define CONV_TRIAL_CUH

#include "conv/reference_d.h"
#include "kernels/launch.h"
#include "reduce/bound.h"
#include "tour/rng.h"

/* hold an array on both sides */
/* An operand or result: its exact value or reference, its bound, the floats. */
struct tensor {
    size_t n;
    double *exact, *sizes; /* sizes: the same sum over absolute values */
    float *h, *d;
};

static inline struct tensor tensor_make(size_t n)
{
    struct tensor t = {n, NULL, NULL, NULL, NULL};

    t.exact = (double *)check_alloc(n, sizeof *t.exact);
    t.sizes = (double *)check_alloc(n, sizeof *t.sizes);
    t.h = (float *)check_alloc(n, sizeof *t.h);
    CUDA_CHECK(cudaMalloc((void **)&t.d, (n + !n) * sizeof *t.d));
    return t;
}

static inline void tensor_free(struct tensor t)
{
    free(t.exact), free(t.sizes), free(t.h);
    CUDA_CHECK(cudaFree(t.d));
}
/* Random input: small integers, or floats in [-1/2, 1/2). */
static inline void tensor_fill(struct tensor t, int whole, uint64_t *seed)
{
    for (size_t i = 0; i < t.n; i++) {
        t.h[i] = whole ? rng_small(seed) : rng_float(seed) - 0.5f;
        t.exact[i] = t.h[i];
        t.sizes[i] = fabs(t.exact[i]);
    }
    CUDA_CHECK(cudaMemcpy(t.d, t.h, t.n * sizeof *t.h, cudaMemcpyHostToDevice));
}

static inline double tensor_dot(struct tensor a, struct tensor b)
{
    double sum = 0;

    for (size_t i = 0; i < a.n; i++)
        sum += (double)a.h[i] * b.h[i];
    return sum;
}

/* hold a trial */
/* x, w and dy are inputs; y, dx and dw results. */
struct trial {
    struct conv v;
    struct tensor x, w, dy, y, dx, dw;
};

static inline struct trial trial_make(struct conv v, int whole, uint64_t *seed)
{
    struct trial t;

    conv_check(&v);
    t.v = v;
    t.x = tensor_make(conv_x(&v)), t.dx = tensor_make(conv_x(&v));
    t.w = tensor_make(conv_w(&v)), t.dw = tensor_make(conv_w(&v));
    t.y = tensor_make(conv_y(&v)), t.dy = tensor_make(conv_y(&v));
    tensor_fill(t.x, whole, seed);
    tensor_fill(t.w, whole, seed);
    tensor_fill(t.dy, whole, seed);
    conv_forward(&v, t.x.exact, t.w.exact, t.y.exact);
    conv_forward(&v, t.x.sizes, t.w.sizes, t.y.sizes);
    conv_input_gradient(&v, t.dy.exact, t.w.exact, t.dx.exact);
    conv_input_gradient(&v, t.dy.sizes, t.w.sizes, t.dx.sizes);
    conv_filter_gradient(&v, t.x.exact, t.dy.exact, t.dw.exact);
    conv_filter_gradient(&v, t.x.sizes, t.dy.sizes, t.dw.sizes);
    return t;
}
static inline void trial_free(struct trial t)
{
    tensor_free(t.x), tensor_free(t.w), tensor_free(t.dy);
    tensor_free(t.y), tensor_free(t.dx), tensor_free(t.dw);
}

/* compare a result with its reference */
/* Before a kernel runs: its result is poison. */
static inline void tensor_poison(struct tensor t)
{
    CUDA_CHECK(cudaMemset(t.d, 0xff, t.n * sizeof *t.d));
}

/* hold every element to its bound */
/* After it: every element is a sum of `terms` products within its bound. */
static inline void tensor_check(struct tensor t, double terms, const char *what)
{
    CUDA_CHECK(cudaMemcpy(t.h, t.d, t.n * sizeof *t.h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < t.n; i++) {
        double most = bound_dot(terms, terms, BOUND_FLOAT, t.sizes[i]);

        CHECK(fabs(t.h[i] - t.exact[i]) <= most,
              "%s: element %zu of %zu is %.9g, not %.9g, bound %.3g", what, i,
              t.n, t.h[i], t.exact[i], most);
    }
}

/* Inputs must come out as they went in. */
static inline void tensor_same(struct tensor t, const char *what)
{
    float *now = (float *)check_alloc(t.n, sizeof *now);

    CUDA_CHECK(cudaMemcpy(now, t.d, t.n * sizeof *now, cudaMemcpyDeviceToHost));
    CHECK(memcmp(now, t.h, t.n * sizeof *now) == 0, "%s was changed", what);
    free(now);
}

#endif

/* try_norm.cuh: a batch norm on a case. */
#ifndef LAYERS_TRY_NORM_CUH
#define LAYERS_TRY_NORM_CUH

#include "layers/batchnorm.cuh"
#include "layers/case.cuh"
#include "layers/reference_d.h"

#ifndef EPS
#define EPS 1e-5f
#endif

/* bound the moments of a batch norm */
static void bound_moments(struct layer_case *c, int n, int hw,
                          const struct array *x, struct array *mean,
                          struct array *var)
{
    int hv = by_four((size_t)hw, x->d, x->d, x->d) ? hw / 4 : hw;
    double threads = (double)norm_grid(n, (int)mean->n, hv).x * NORM_THREADS;
    double height = 4 + ceil((double)n * hv / threads) + 15;
    double most = fabs(c->middle) + 1;

    for (size_t k = 0; k < mean->n; k++) {
        CHECK_NEAR(mean->h[k], mean->wide[k],
                   bound_mean(height, BOUND_FLOAT, most, 2), "mean");
        CHECK_NEAR(var->h[k], var->wide[k],
                   bound_variance(height, BOUND_FLOAT, most, 2), "variance");
        mean->wide[k] = mean->h[k];
        var->wide[k] = var->h[k];
    }
}

/* find a normalized number */
static double norm_of(struct layer_case *c, const struct array *x, size_t i,
                      size_t k)
{
    const struct array *mean = case_find(c, "mean", c->size[1]);
    const struct array *var = case_find(c, "var", c->size[1]);

    return fabs(x->wide[i] - mean->wide[k]) / sqrt(var->wide[k] + EPS);
}

/* bound the results of a batch norm */
static void bound_norm(struct layer_case *c, int n, int k, int hw)
{
    size_t nx = (size_t)n * k * hw;
    double m = (double)n * hw, height = bound_height(m, NORM_THREADS) + 21;
    struct array *x = input(c, "x", nx), *dy = input(c, "dy", nx);
    struct array *y = output(c, "y", nx, 4), *g = output(c, "given", nx, 4);
    struct array *ds = output(c, "dscale", k, 4);
    struct array *dh = output(c, "dshift", k, 4);

    for (size_t i = 0; i < nx; i++) {
        size_t at = i / (size_t)hw % (size_t)k;
        double shift = input(c, "shift", k)->wide[at];

        y->tol[i] = fabs(y->wide[i] - shift) + fabs(shift);
        dh->tol[at] += dy->size[i];
        ds->tol[at] += norm_of(c, x, i, at) * dy->size[i];
    }
    bound_by(y, 2, 5);
    memcpy(g->tol, y->tol, nx * sizeof *g->tol);
    /* bound the gradient of a batch norm */
    for (size_t i = 0; i < nx; i++) {
        size_t at = i / (size_t)hw % (size_t)k;
        double factor = input(c, "scale", k)->size[at] /
                        sqrt(case_find(c, "var", k)->wide[at] + EPS);
        double norm = norm_of(c, x, i, at);
        double off = bound_dot(m, height, BOUND_FLOAT, dh->tol[at]) +
                     norm * bound_dot(m, height, BOUND_FLOAT, ds->tol[at]);
        double all = dy->size[i] + (dh->tol[at] + norm * ds->tol[at]) / m;

        output(c, "dx", nx, 4)->tol[i] = bound_up(
            factor * (2 * off / m + bound_gamma(20, BOUND_FLOAT) * all));
    }
    bound_by(dh, m, height);
    bound_by(ds, m, height);
}

/* run a batch norm on a case */
static void norm_kernels(struct layer_case *c)
{
    int n = c->size[0], k = c->size[1], hw = c->size[2] * c->size[3];
    size_t nx = (size_t)n * k * hw;
    float *x = input(c, "x", nx)->d, *scale = input(c, "scale", k)->d;
    float *shift = input(c, "shift", k)->d, *dy = input(c, "dy", nx)->d;
    float *mean = output(c, "mean", k, 4)->d, *var = output(c, "var", k, 4)->d;
    void *space;

    CUDA_CHECK(cudaMalloc(&space, batchnorm_space(k)));
    CUDA_CHECK(cudaMemset(space, 0xff, batchnorm_space(k)));
    batchnorm_forward_run(n, k, hw, EPS, x, scale, shift,
                          output(c, "y", nx, 4)->d, mean, var, space, 0);
    batchnorm_backward_run(
        n, k, hw, EPS, x, mean, var, scale, dy, output(c, "dx", nx, 4)->d,
        output(c, "dscale", k, 4)->d, output(c, "dshift", k, 4)->d, space, 0);
    batchnorm_apply_run(n, k, hw, EPS, x, mean, var, scale, shift,
                        output(c, "given", nx, 4)->d, 0);
    CUDA_CHECK(cudaFree(space));
}
static void run_norm(struct layer_case *c)
{
    int n = c->size[0], k = c->size[1], hw = c->size[2] * c->size[3];
    size_t nx = (size_t)n * k * hw;
    struct array *x = input(c, "x", nx), *mean = output(c, "mean", k, 4);
    struct array *var = output(c, "var", k, 4), *y = output(c, "y", nx, 4);

    if (!c->nudging)
        case_kernels(c, norm_kernels);
    batchnorm_moments(n, k, hw, x->wide, mean->wide, var->wide);
    if (!c->nudging && !c->recorded)
        bound_moments(c, n, hw, x, mean, var);
    batchnorm_apply(n, k, hw, EPS, x->wide, mean->wide, var->wide,
                    input(c, "scale", k)->wide, input(c, "shift", k)->wide,
                    y->wide);
    batchnorm_backward(n, k, hw, EPS, x->wide, mean->wide, var->wide,
                       input(c, "scale", k)->wide, input(c, "dy", nx)->wide,
                       output(c, "dx", nx, 4)->wide,
                       output(c, "dscale", k, 4)->wide,
                       output(c, "dshift", k, 4)->wide);
    if (c->nudging || c->recorded)
        return;
    memcpy(output(c, "given", nx, 4)->wide, y->wide, nx * sizeof *y->wide);
    CHECK(!memcmp(output(c, "given", nx, 4)->h, y->h, nx * 4),
          "inference with the same statistics gives other bits");
    bound_norm(c, n, k, hw);
}

#endif

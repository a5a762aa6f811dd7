/* batchnorm: batch norm on the device, in training, in inference and back. */
#include <stdio.h>

#include "layers/batchnorm.cuh"
#include "layers/reference_d.h"
#include "layers/trial.cuh"
#include "tour/args.h"

#define EPS 1e-5f

/* name the arrays of a batch norm */
struct norm_case {
    struct array *x, *scale, *shift, *dy, *y, *given, *mean, *var, *dx, *dscale,
        *dshift;
};

/* try the forward pass of a batch norm */
/* x's values lie within 1 of `middle`. */
static void check_moments(int n, int c, int hw, float middle,
                          const struct array *mean, const struct array *var,
                          const struct array *x)
{
    int hv = by_four((size_t)hw, x->d, x->d, x->d) ? hw / 4 : hw;
    double threads = (double)norm_grid(n, c, hv).x * NORM_THREADS;
    double height = 4 + ceil((double)n * hv / threads) + 15;
    double most = fabs(middle) + 1;

    batchnorm_moments(n, c, hw, x->wide, mean->wide, var->wide);
    for (int k = 0; k < c; k++) {
        CHECK_NEAR(mean->h[k], mean->wide[k],
                   bound_mean(height, BOUND_FLOAT, most, 2), "mean");
        CHECK_NEAR(var->h[k], var->wide[k],
                   bound_variance(height, BOUND_FLOAT, most, 2), "variance");
        mean->wide[k] = mean->h[k]; /* from here on, the kernel's own */
        var->wide[k] = var->h[k];
    }
}
static void check_norm(int n, int c, int hw, const struct array *x,
                       const struct array *mean, const struct array *var,
                       const struct array *scale, const struct array *shift,
                       const struct array *y)
{
    batchnorm_apply(n, c, hw, EPS, x->wide, mean->wide, var->wide, scale->wide,
                    shift->wide, y->wide);
    for (size_t i = 0; i < y->n; i++) {
        size_t k = i / (size_t)hw % (size_t)c;

        y->size[i] = fabs(y->wide[i] - shift->wide[k]) + shift->size[k];
    }
    trial_near(y, "y", 2, 5);
}

/* try the backward pass of a batch norm */
static void check_slope(int n, int c, int hw, const struct norm_case *s)
{
    double m = (double)n * hw, height = bound_height(m, NORM_THREADS) + 15 + 6;

    batchnorm_backward(n, c, hw, EPS, s->x->wide, s->mean->wide, s->var->wide,
                       s->scale->wide, s->dy->wide, s->dx->wide,
                       s->dscale->wide, s->dshift->wide);
    /* find the sizes of the sums */
    for (size_t i = 0; i < s->x->n; i++) {
        size_t k = i / (size_t)hw % (size_t)c;
        double norm = s->x->wide[i] - s->mean->wide[k];

        s->dshift->size[k] += s->dy->size[i];
        s->dscale->size[k] +=
            fabs(norm) / sqrt(s->var->wide[k] + EPS) * s->dy->size[i];
    }
    trial_near(s->dshift, "dshift", m, height);
    trial_near(s->dscale, "dscale", m, height);
    for (size_t i = 0; i < s->x->n; i++) {
        size_t k = i / (size_t)hw % (size_t)c;
        double rstd = 1 / sqrt(s->var->wide[k] + EPS);
        double norm = fabs(s->x->wide[i] - s->mean->wide[k]) * rstd;
        double off =
            bound_dot(m, height, BOUND_FLOAT, s->dshift->size[k]) +
            norm * bound_dot(m, height, BOUND_FLOAT, s->dscale->size[k]);
        double whole = s->dy->size[i] +
                       (s->dshift->size[k] + norm * s->dscale->size[k]) / m;

        CHECK_NEAR(
            s->dx->h[i], s->dx->wide[i],
            bound_up(s->scale->size[k] * rstd *
                     (2 * off / m + bound_gamma(20, BOUND_FLOAT) * whole)),
            "dx");
    }
}

/* try a batch norm */
static void try_norm(int n, int c, int hw, float middle, uint64_t seed)
{
    struct trial t = {seed, 0, {}};
    size_t nx = (size_t)n * c * hw;
    struct norm_case s = {
        trial_in(&t, nx, middle), trial_in(&t, c, 0),   trial_in(&t, c, 0),
        trial_in(&t, nx, 0),      trial_out(&t, nx, 4), trial_out(&t, nx, 4),
        trial_out(&t, c, 4),      trial_out(&t, c, 4),  trial_out(&t, nx, 4),
        trial_out(&t, c, 4),      trial_out(&t, c, 4)};
    void *space;

    CUDA_CHECK(cudaMalloc(&space, batchnorm_space(c)));
    CUDA_CHECK(cudaMemset(space, 0xff, batchnorm_space(c)));
    for (int again = 0; again < 2; again++) {
        /* run a batch norm all three ways */
        batchnorm_forward_run(n, c, hw, EPS, s.x->d, s.scale->d, s.shift->d,
                              s.y->d, s.mean->d, s.var->d, space, 0);
        batchnorm_apply_run(n, c, hw, EPS, s.x->d, s.mean->d, s.var->d,
                            s.scale->d, s.shift->d, s.given->d, 0);
        batchnorm_backward_run(n, c, hw, EPS, s.x->d, s.mean->d, s.var->d,
                               s.scale->d, s.dy->d, s.dx->d, s.dscale->d,
                               s.dshift->d, space, 0);
        trial_fetch(&t, again);
    }
    CHECK(memcmp(s.y->h, s.given->h, s.y->bytes) == 0,
          "inference with the same statistics gives other bits");
    check_moments(n, c, hw, middle, s.mean, s.var, s.x);
    check_norm(n, c, hw, s.x, s.mean, s.var, s.scale, s.shift, s.y);
    check_slope(n, c, hw, &s);
    CUDA_CHECK(cudaFree(space));
    trial_free(&t);
}

int main(int argc, char **argv)
{
    /* list sizes of batch norms */
    static const int sizes[][3] = {
        {1, 1, 1},    {2, 1, 1},     {1, 3, 2},   {5, 3, 7},   {3, 2, 8},
        {33, 1, 31},  {2, 33, 12},   {9, 2, 196}, {4, 3, 784}, {1, 2, 1300},
        {70, 1, 147}, {7, 300, 113}, {41, 1, 836}};
    struct arg args[] = {ARG_SIZE("n", 7, 1, 4096), ARG_SIZE("c", 5, 1, 4096),
                         ARG_SIZE("hw", 36, 1, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "a batch norm, tried", args, 3);

    for (int k = 0; k < ARG_COUNT(sizes); k++)
        try_norm(sizes[k][0], sizes[k][1], sizes[k][2], k % 3 * 50, seed + k);
    try_norm((int)args[0].value, (int)args[1].value, (int)args[2].value, 0,
             seed);
    printf("ok: batch norm, %d sizes: training, inference and back\n",
           ARG_COUNT(sizes) + 1);
    return 0;
}

/* try_pool.cuh: a max-pool on a case. */
#ifndef LAYERS_TRY_POOL_CUH
#define LAYERS_TRY_POOL_CUH

#include "layers/case.cuh"
#include "layers/maxpool.cuh"
#include "layers/reference_d.h"

/* run a max-pool on a case */
static void pool_kernels(struct layer_case *c)
{
    int p = c->size[0], h = c->size[1], w = c->size[2];
    size_t nx = (size_t)p * h * w, ny = (size_t)p * (h / 2) * (w / 2);
    size_t s = c->shift;
    unsigned char *which = (unsigned char *)output(c, "which", ny, 1)->d;

    maxpool_forward_run(p, h, w, input(c, "x", nx + s)->d + s,
                        output(c, "y", ny, 4)->d, which, 0);
    maxpool_backward_run(p, h, w, input(c, "dy", ny)->d, which,
                         output(c, "dx", nx + s, 4)->d + s, 0);
}

static void run_pool(struct layer_case *c)
{
    int p = c->size[0], h = c->size[1], w = c->size[2];
    size_t nx = (size_t)p * h * w, ny = (size_t)p * (h / 2) * (w / 2);
    size_t s = c->shift;
    struct array *x = input(c, "x", nx + s), *which = output(c, "which", ny, 1);
    struct array *dx = output(c, "dx", nx + s, 4);
    unsigned char *best = (unsigned char *)check_alloc(ny, 1);

    for (size_t i = 0; !c->recorded && i < nx + s; i++)
        x->h[i] = rng_below(&c->seed, 50) ? rng_small(&c->seed) : NAN;
    if (!c->recorded)
        case_put(x);
    maxpool_forward(p, h, w, x->wide + s, output(c, "y", ny, 4)->wide, best);
    maxpool_backward(p, h, w, input(c, "dy", ny)->wide, best, dx->wide + s);
    for (size_t i = 0; i < ny; i++)
        which->wide[i] = best[i];
    for (size_t i = 0; i < s; i++)
        dx->wide[i] = NAN;
    free(best);
    if (!c->nudging)
        case_kernels(c, pool_kernels);
}

#endif

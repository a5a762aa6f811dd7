/* try_linear.cuh: a linear layer on a case. */
#ifndef LAYERS_TRY_LINEAR_CUH
#define LAYERS_TRY_LINEAR_CUH

#include "layers/case.cuh"
#include "layers/linear.cuh"
#include "layers/reference_d.h"

/* run a linear layer on a case */
static void linear_kernels(struct layer_case *c)
{
    int b = c->size[0], in = c->size[1], out = c->size[2];
    size_t nx = (size_t)b * in, nw = (size_t)out * in, ny = (size_t)b * out;
    float *x = input(c, "x", nx)->d, *w = input(c, "w", nw)->d;
    float *bias = input(c, "bias", out)->d, *dy = input(c, "dy", ny)->d;
    float *y = output(c, "y", ny, 4)->d, *dx = output(c, "dx", nx, 4)->d;

    linear_forward_run(b, in, out, x, w, bias, y, 0);
    linear_backward_run(b, in, out, x, w, dy, dx, output(c, "dw", nw, 4)->d,
                        output(c, "dbias", out, 4)->d, 0);
}
static void run_linear(struct layer_case *c)
{
    int b = c->size[0], in = c->size[1], out = c->size[2];
    size_t nx = (size_t)b * in, nw = (size_t)out * in, ny = (size_t)b * out;
    struct array *x = input(c, "x", nx), *w = input(c, "w", nw);
    struct array *bias = input(c, "bias", out), *dy = input(c, "dy", ny);
    struct array *y = output(c, "y", ny, 4), *dx = output(c, "dx", nx, 4);
    struct array *dw = output(c, "dw", nw, 4), *db = output(c, "dbias", out, 4);

    /* bound a linear layer */
    linear_forward(b, in, out, x->wide, w->wide, bias->wide, y->wide);
    linear_backward(b, in, out, x->wide, w->wide, dy->wide, dx->wide, dw->wide,
                    db->wide);
    if (c->nudging)
        return;
    case_kernels(c, linear_kernels);
    linear_forward(b, in, out, x->size, w->size, bias->size, y->tol);
    linear_backward(b, in, out, x->size, w->size, dy->size, dx->tol, dw->tol,
                    db->tol);
    bound_by(y, in + 1, in + 2);
    bound_by(dx, out, out + 1);
    bound_by(dw, b, b + 1);
    bound_by(db, b, bound_height(b, WARP));
}

#endif

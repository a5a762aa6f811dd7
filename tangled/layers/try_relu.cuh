/* try_relu.cuh: a ReLU on a case. */
#ifndef LAYERS_TRY_RELU_CUH
#define LAYERS_TRY_RELU_CUH

#include "layers/case.cuh"
#include "layers/reference_d.h"
#include "layers/relu.cuh"

/* run a ReLU on a case */
static void relu_kernels(struct layer_case *c)
{
    size_t n = c->size[0], all = n + c->shift;
    float *y = output(c, "y", all, 4)->d + c->shift;
    float *dx = output(c, "dx", all, 4)->d + c->shift;

    relu_forward_run(n, input(c, "x", all)->d + c->shift, y, 0);
    CUDA_CHECK(cudaMemcpy(dx, input(c, "dy", all)->d + c->shift, n * 4,
                          cudaMemcpyDeviceToDevice));
    relu_backward_run(n, y, dx, dx, 0);
}

static void run_relu(struct layer_case *c)
{
    size_t n = c->size[0], s = c->shift, all = n + s;
    struct array *x = input(c, "x", all), *dy = input(c, "dy", all);
    struct array *y = output(c, "y", all, 4), *dx = output(c, "dx", all, 4);
    static const float odd[4] = {0, NAN, INFINITY, -INFINITY};

    for (size_t i = 0; !c->recorded && i < n && i < 4; i++)
        x->h[s + i] = odd[i];
    if (!c->recorded)
        case_put(x);
    for (size_t i = 0; i < s; i++)
        y->wide[i] = dx->wide[i] = NAN;
    relu_forward(n, x->wide + s, y->wide + s);
    relu_backward(n, y->wide + s, dy->wide + s, dx->wide + s);
    if (!c->nudging)
        case_kernels(c, relu_kernels);
}

#endif

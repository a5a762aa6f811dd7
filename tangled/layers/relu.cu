/* relu: ReLU and the step of gradient descent, on the device. */
#include <stdio.h>

#include "layers/sgd.cuh"
#include "layers/try_relu.cuh"
#include "tour/args.h"

/* run a step on a case */
static void step_kernels(struct layer_case *c)
{
    size_t n = c->size[0];
    float *to = output(c, "to", n, 4)->d;

    CUDA_CHECK(
        cudaMemcpy(to, input(c, "w", n)->d, n * 4, cudaMemcpyDeviceToDevice));
    sgd_run(n, 0.05f, input(c, "dw", n)->d, to, 0);
}

static void run_step(struct layer_case *c)
{
    size_t n = c->size[0];
    struct array *dw = input(c, "dw", n), *w = input(c, "w", n);
    struct array *to = output(c, "to", n, 4);

    memcpy(to->wide, w->wide, n * sizeof *to->wide);
    sgd_step(n, 0.05f, dw->wide, to->wide);
    case_kernels(c, step_kernels);
    for (size_t i = 0; i < n; i++)
        to->tol[i] = w->size[i] + 0.05f * dw->size[i];
    bound_by(to, 2, 1);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 4100, 0, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "ReLU and a step, tried", args, 1);

    for (int k = 0; k <= 130; k++) {
        int size[3] = {k < 130 ? k : (int)args[0].value, 1, 1};

        trial("relu", run_relu, size, k % 3, 0, seed + k);
        trial("step", run_step, size, 0, 0, seed + k);
    }
    printf("ok: ReLU and step of 0 to 129 and %d numbers\n",
           (int)args[0].value);
    return 0;
}

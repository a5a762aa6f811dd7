/* gradients: the trainer's launchers against the references in double. */
#include "conv/conv.cuh"
#include "conv/shapes.h"
#include "conv/trial.cuh"
#include "tour/args.h"

/* run all three on a trial */
static void run_all(struct trial t)
{
    const struct conv *v = &t.v;
    size_t bytes = conv_filter_gradient_bytes(v);
    void *work;

    CUDA_CHECK(cudaMalloc(&work, bytes));
    CUDA_CHECK(cudaMemset(work, 0xff, bytes));
    tensor_poison(t.y), tensor_poison(t.dx), tensor_poison(t.dw);
    launch_conv_forward(v, t.x.d, t.w.d, t.y.d, 0);
    launch_conv_input_gradient(v, t.dy.d, t.w.d, t.dx.d, 0);
    launch_conv_filter_gradient(v, t.x.d, t.dy.d, t.dw.d, work, 0);
    tensor_check(t.y, (double)v->c * v->r * v->s, "y");
    tensor_check(t.dx, (double)v->k * v->r * v->s, "dx");
    tensor_check(t.dw, (double)v->n * conv_out_h(v) * conv_out_w(v), "dw");
    tensor_same(t.x, "x"), tensor_same(t.w, "w"), tensor_same(t.dy, "dy");
    tensor_poison(t.dw);
    launch_conv_filter_gradient(v, t.x.d, t.dy.d, t.dw.d, work, 0);
    tensor_same(t.dw, "on a second run dw");
    CUDA_CHECK(cudaFree(work));
}

/* check the adjoint identity */
/* With small integers no sum is rounded, so the three are equal. */
static void check_adjoint(struct trial t)
{
    double y = tensor_dot(t.dy, t.y), x = tensor_dot(t.dx, t.x);
    double w = tensor_dot(t.dw, t.w);

    CHECK(y == x && y == w, "<dy, y> = %g, <dx, x> = %g, <dw, w> = %g", y, x,
          w);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_NUMBER("--random", 5, 0, 1000000)};
    uint64_t seed = args_parse(argc, argv, "convolution and its gradients",
                               args, ARG_COUNT(args));
    int count = CONV_SHAPES + (int)args[0].value;

    for (int i = 0; i < count; i++) {
        struct conv v = i < CONV_SHAPES ? conv_shapes[i] : conv_random(&seed);
        struct trial t = trial_make(v, i % 2, &seed);

        run_all(t);
        if (i % 2)
            check_adjoint(t);
        trial_free(t);
    }
    printf("ok: forward and both gradients of %d shapes\n", count);
    return 0;
}

/* forward: every forward kernel against the reference in double. */
#include "conv/forward.cuh"
#include "conv/shapes.h"
#include "conv/trial.cuh"
#include "tour/args.h"

/* run the forward kernels on a trial */
static void run_forward(struct conv v, const char *only, uint64_t *seed)
{
    struct trial t = trial_make(v, 0, seed);
    void *work;

    CUDA_CHECK(cudaMalloc(&work, conv_im2col_bytes(&v) + 4));
    for (int k = 0; k < FORWARD_KERNELS; k++) {
        if (*only && strcmp(forward_names[k], only) != 0)
            continue;
        tensor_poison(t.y);
        launch_forward(k, &v, t.x.d, t.w.d, t.y.d, work);
        tensor_check(t.y, (double)v.c * v.r * v.s, forward_names[k]);
        tensor_same(t.x, "x"), tensor_same(t.w, "w");
    }
    CUDA_CHECK(cudaFree(work));
    trial_free(t);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 0, 0, 4096),
                         ARG_SIZE("c", 0, 1, 4096),
                         ARG_SIZE("h", 0, 1, 4096),
                         ARG_SIZE("w", 0, 1, 4096),
                         ARG_SIZE("k", 0, 1, 4096),
                         ARG_SIZE("r", 3, 1, 4096),
                         ARG_SIZE("s", 3, 1, 4096),
                         ARG_SIZE("stride", 1, 1, 4096),
                         ARG_SIZE("pad", 1, 0, 4096),
                         ARG_SIZE("dilation", 1, 1, 4096),
                         ARG_NUMBER("--random", 30, 0, 1000000),
                         ARG_TEXT("--only", "")};
    uint64_t seed =
        args_parse(argc, argv, "the forward kernels", args, ARG_COUNT(args));
    /* run one shape or all of them */
    int a[10], count = 1;
    const char *only = args[11].text;

    for (int i = 0; i < 10; i++)
        a[i] = (int)args[i].value;
    CHECK(a[4] || !(a[0] || a[1]), "a shape is n c h w k at least, or nothing");
    for (int k = 0; *only && strcmp(forward_names[k], only) != 0; k++)
        CHECK(k + 1 < FORWARD_KERNELS, "there is no kernel named %s", only);
    if (a[4] == 0)
        count = CONV_SHAPES + (int)args[10].value;
    for (int i = 0; i < count; i++) {
        struct conv given = {a[0], a[1], a[2], a[3], a[4],
                             a[5], a[6], a[7], a[8], a[9]};
        struct conv v = a[4]              ? given
                        : i < CONV_SHAPES ? conv_shapes[i]
                                          : conv_random(&seed);

        run_forward(v, only, &seed);
    }
    printf("ok: %d shapes by %s\n", count, *only ? only : "every kernel");
    return 0;
}

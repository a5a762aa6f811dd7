/* agree: the fast step beside the reference. */
#include "mnist/synth.h"
#include "race/fast.cuh"
#include "random/init.h"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("batch", 3, 1, 4096),
                         ARG_SIZE("steps", 1, 1, FAST_SLOTS)};
    uint64_t seed =
        args_parse(argc, argv, "compares the fast step", args, ARG_COUNT(args));
    int n = (int)args[0].value, steps = (int)args[1].value;
    struct model m = model_make(32);
    float *w = (float *)check_alloc(m.total, sizeof *w), loss;
    struct digits d;
    unsigned char *images, *labels;
    struct fast *f = fast_create(&m, n, FAST_BF16);

    synth_digits(n, seed, 0, &d);
    model_init(&m, w, seed);
    CUDA_CHECK(cudaMalloc((void **)&images, (size_t)n * DIGIT_PIXELS));
    CUDA_CHECK(cudaMalloc((void **)&labels, (size_t)n));
    CUDA_CHECK(cudaMemcpy(images, d.pixels, (size_t)n * DIGIT_PIXELS,
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(labels, d.labels, (size_t)n, cudaMemcpyHostToDevice));
    fast_set(f, w);
    for (int s = 0; s < steps; s++)
        fast_step(f, images, labels, NULL, 0, n, 0.05f, s, 0);
    CUDA_CHECK(cudaMemcpy(&loss, f->loss, sizeof loss, cudaMemcpyDeviceToHost));
    fast_get(f, w);
    fast_measure(f, images, NULL, 0, 0, w);
    fast_answers(f, images, 0, n, w);
    printf("ok: loss %g\n", loss);
    fast_destroy(f);
    digits_free(&d);
    free(w);
    return 0;
}

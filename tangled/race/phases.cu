/* phases: how long the fast step takes, and each of its kernels alone. */
#include "mnist/synth.h"
#include "race/fast.cuh"
#include "random/init.h"
#include "tour/args.h"

enum { TURNS = 25 };

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* time what is queued */
/* us of each of `count` things that `go` queues, the median of some turns */
template <class Go>
static float median_us(int turns, int count, Go go)
{
    float us[TURNS];
    cudaEvent_t a, b;

    CUDA_CHECK(cudaEventCreate(&a));
    CUDA_CHECK(cudaEventCreate(&b));
    for (int t = 0; t < turns; t++) {
        CUDA_CHECK(cudaEventRecord(a, 0));
        for (int k = 0; k < count; k++)
            go(k);
        CUDA_CHECK(cudaEventRecord(b, 0));
        CUDA_CHECK(cudaEventSynchronize(b));
        CUDA_CHECK(cudaEventElapsedTime(&us[t], a, b));
        us[t] *= 1000.0f / (float)count;
    }
    CUDA_CHECK(cudaEventDestroy(a));
    CUDA_CHECK(cudaEventDestroy(b));
    qsort(us, (size_t)turns, sizeof *us, by_size);
    return us[turns / 2];
}

int main(int argc, char **argv)
{
    static const char *const name[] = {"sum_patches",       "convolve_twice",
                                       "pool_and_multiply", "finish_forward",
                                       "back_to_cells",     "back_through_both",
                                       "finish_step",       "step_fc1"};
    struct arg args[] = {ARG_SIZE("batch", 2, 1, 4096),
                         ARG_SIZE("batches", 2, 1, FAST_SLOTS),
                         ARG_SIZE("turns", 1, 1, TURNS)};
    uint64_t seed =
        args_parse(argc, argv, "times the fast step", args, ARG_COUNT(args));
    int n = (int)args[0].value, batches = (int)args[1].value;
    int turns = (int)args[2].value;
    size_t count = (size_t)n * batches;
    struct model m = model_make(32);
    float *w = (float *)check_alloc(m.total, sizeof *w), us;
    struct digits d;
    unsigned char *images, *labels;
    struct fast *f = fast_create(&m, n, FAST_BF16);

    /* make batches to time */
    synth_digits(n, seed, 0, &d);
    model_init(&m, w, seed);
    CUDA_CHECK(cudaMalloc((void **)&images, count * DIGIT_PIXELS));
    CUDA_CHECK(cudaMalloc((void **)&labels, count));
    for (size_t i = 0; i < (size_t)batches; i++) {
        CUDA_CHECK(cudaMemcpy(images + i * n * DIGIT_PIXELS, d.pixels,
                              (size_t)n * DIGIT_PIXELS,
                              cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemcpy(labels + i * n, d.labels, (size_t)n,
                              cudaMemcpyHostToDevice));
    }
    fast_set(f, w);
    us = median_us(turns, batches, [&](int k) {
        fast_step(f, images, labels, NULL, k * n, n, 0.01f, 0, 0);
    });
    us = median_us(turns, batches, [&](int k) {
        fast_step(f, images, labels, NULL, k * n, n, 0.01f, k, 0);
    });
    CUDA_CHECK(cudaMemcpy(w, f->loss, batches * 4, cudaMemcpyDeviceToHost));
    printf("batch %d: step %.1f us; loss of the last %g\n", n, us,
           w[batches - 1]);
    /* time each phase alone */
    for (int p = 0; f->fused && p < FUSED_PHASES; p++) {
        fast_step(f, images, labels, NULL, 0, n, 0, 0, 0);
        f->fused->known = 0;
        put_args<<<1, 1>>>(f->fused->d.args, {images, labels, NULL, f->loss});
        us = median_us(turns, batches,
                       [&](int) { fused_phase(f->fused, p, 0, 0); });
        printf("  %-18s %8.2f us\n", name[p], us);
    }
    fast_destroy(f);
    CUDA_CHECK(cudaFree(images));
    CUDA_CHECK(cudaFree(labels));
    digits_free(&d);
    free(w);
    return 0;
}

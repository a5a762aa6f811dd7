/* agree: the fast step beside its mirror in double. */
#include "mnist/synth.h"
#include "race/fast.cuh"
#include "race/mirror.h"
#include "random/init.h"
#include "tour/args.h"

/* how far two vectors are from each other, in lengths of the second */
static double apart(size_t n, const double *x, const double *y)
{
    double d = 0, all = 0;

    for (size_t i = 0; i < n; i++) {
        d += (x[i] - y[i]) * (x[i] - y[i]);
        all += y[i] * y[i];
    }
    return sqrt(d / (all + 1e-300));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("batch", 3, 1, 4096),
                         ARG_SIZE("steps", 2, 1, FAST_SLOTS)};
    uint64_t seed =
        args_parse(argc, argv, "compares the fast step", args, ARG_COUNT(args));
    int n = (int)args[0].value, steps = (int)args[1].value, count = n * steps;
    struct model m = model_make(32);
    float *w = (float *)check_alloc(m.total, sizeof *w);
    float *loss = (float *)check_alloc((size_t)steps, sizeof *loss);
    struct digits d;
    unsigned char *images, *labels;
    struct fast *f = fast_create(&m, n, FAST_BF16);
    struct mirror s = {m, doubles(m.total), doubles(m.count),
                       doubles(m.total - m.count), 0};

    synth_digits(count, seed, 0, &d);
    model_init(&m, w, seed);
    for (size_t i = 0; i < m.total; i++)
        s.w[i] = w[i];
    CUDA_CHECK(cudaMalloc((void **)&images, (size_t)count * DIGIT_PIXELS));
    CUDA_CHECK(cudaMalloc((void **)&labels, (size_t)count));
    CUDA_CHECK(cudaMemcpy(images, d.pixels, (size_t)count * DIGIT_PIXELS,
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy(labels, d.labels, (size_t)count, cudaMemcpyHostToDevice));
    fast_set(f, w);
    for (int k = 0; k < steps; k++) {
        doubles before(s.w), g(m.count);

        fast_step(f, images, labels, NULL, k * n, n, 0.5f, k, 0);
        mirror_step(&s, d.pixels + (size_t)k * n * DIGIT_PIXELS,
                    d.labels + k * n, n, 0.5);
        fast_get(f, w);
        CUDA_CHECK(cudaMemcpy(loss, f->loss, (size_t)steps * 4,
                              cudaMemcpyDeviceToHost));
        printf("step %d: loss %.8g, mirror %.8g\n", k + 1, loss[k], s.loss);
        for (int t = 0; t < LEARNED; t++) {
            size_t at = m.tensor[t].at;

            for (size_t i = at; i < at + m.tensor[t].count; i++)
                g[i] = (before[i] - w[i]) / 0.5;
            printf("  %-14s %.2e\n", m.tensor[t].name,
                   apart(m.tensor[t].count, &g[at], &s.g[at]));
        }
        float moments[192];
        fast_measure(f, images, NULL, 0, 0, moments);
        doubles q(192);
        for (int i = 0; i < 192; i++)
            q[i] = moments[i];
        printf("  moments %.2e %.2e %.2e %.2e\n",
               apart(32, &q[0], &s.moments[0]),
               apart(32, &q[32], &s.moments[32]),
               apart(64, &q[64], &s.moments[64]),
               apart(64, &q[128], &s.moments[128]));
        for (size_t i = 0; i < m.total; i++)
            s.w[i] = w[i]; /* go on from the same weights */
    }
    std::vector<float> o((size_t)n * 10);
    fast_answers(f, images, 0, n, o.data());
    fast_destroy(f);
    digits_free(&d);
    free(w);
    return 0;
}

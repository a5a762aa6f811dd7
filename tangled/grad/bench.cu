/* bench: differences, wrong gradients, and the time of the way back. */
#include "measure/bench.h"

#include "grad/bias_tanh.cuh"
#include "grad/gallery.h"
#include "grad/steps.h"
#include "tour/args.h"

/* print the error of differences */
static void bench_steps(void)
{
    static const char *const names[] = {"onesided_float", "central_float",
                                        "onesided_double", "central_double"};

    for (int type = 0; type < 2; type++)
        for (int central = 0; central < 2; central++) {
            const char *name = names[2 * type + central];

            for (int k = 1; k <= STEPS_MOST; k++)
                bench_row(name, k, "error", steps_error(type, central, k), "");
        }
}

/* print the losses of wrong gradients */
static const char *exhibit;

static void say_loss(int step, double loss)
{
    if (step % 25 == 0)
        bench_row(exhibit, step, "loss", loss, "");
}

static void bench_gallery(int steps)
{
    for (int k = 0; k < GALLERY; k++) {
        struct gallery_end e;

        exhibit = gallery_name[k];
        e = gallery_train((enum gallery)k, steps, 0.02, say_loss);
        bench_row(exhibit, 0, "right", e.right, "%");
        bench_row(exhibit, 0, "end", e.loss, "");
    }
}

/* time the kernels */
enum { COPY, FLAT, FORWARD_1, FORWARD_8, BACKWARD, PASSES };

struct pass {
    int which, n, c;
    float *x, *y, *dy, *dx, *b; /* db is behind b */
};

static void run_pass(void *work, int set)
{
    struct pass *p = (struct pass *)work;

    (void)set;
    if (p->which == FLAT)
        bias_tanh_flat_run(p->n, p->c, p->x, p->b, p->y);
    else if (p->which == FORWARD_1 || p->which == FORWARD_8)
        bias_tanh_forward_run(p->n, p->c, p->x, p->b, p->y,
                              p->which == FORWARD_1 ? 1 : 8);
    else if (p->which == BACKWARD)
        bias_tanh_backward_run(p->n, p->c, p->y, p->dy, p->dx, p->b + p->c);
    else
        CUDA_CHECK(cudaMemcpyAsync(p->dx, p->x, sizeof(float) * p->n * p->c,
                                   cudaMemcpyDeviceToDevice, 0));
}

/* check what was measured */
static void check_passes(int n, int c, const float *x, const float *y,
                         const float *dy, const float *dx, const float *b)
{
    double *sum = (double *)check_alloc((size_t)c, sizeof *sum);

    for (size_t k = 0; k < (size_t)n * c; k++) {
        double z = (double)x[k] + b[k % (unsigned)c];
        double d = dy[k] * (1 - (double)y[k] * y[k]);

        CHECK_NEAR(y[k], tanh(z), 8 * 0x1p-24, "rounding of x + b, tanhf");
        CHECK_NEAR(dx[k], d, 4 * 0x1p-24, "three roundings below 1");
        sum[k % (unsigned)c] += d;
    }
    for (int j = 0; j < c; j++)
        CHECK_NEAR(b[c + j], sum[j], (n / 32 + 40) * 0x1p-24 * n,
                   "n terms of at most 1, n / 32 + 32 in a row");
    free(sum);
}

/* measure the two passes */
static void bench_passes(int n, int c)
{
    size_t size = (size_t)n * c, all = 4 * size + 2 * (size_t)c;
    float *h = (float *)check_alloc(all, sizeof *h), *d;
    static const char *const names[] = {"copy", "flat", "forward_1",
                                        "forward_8", "backward"};
    struct pass p[PASSES];
    struct bench_case cases[PASSES];

    CUDA_CHECK(cudaMalloc((void **)&d, all * sizeof *d));
    rng_fill_float(h, all, 1);
    CUDA_CHECK(cudaMemcpy(d, h, all * sizeof *d, cudaMemcpyHostToDevice));
    for (int k = 0; k < PASSES; k++) {
        struct pass one = {
            k, n, c, d, d + size, d + 2 * size, d + 3 * size, d + 4 * size};
        struct bench_case timed = {names[k], run_pass, &p[k]};

        p[k] = one;
        cases[k] = timed;
    }
    bench_measure(cases, PASSES, 1);
    /* report the passes */
    for (int k = 0; k < PASSES; k++) {
        double bytes = (k == BACKWARD ? 12.0 : 8.0) * size;

        bench_report(&cases[k], 1, (long long)size, bytes, NULL, NULL);
        bench_row(names[k], (long long)size, "times",
                  stats_ratio(cases[BACKWARD].us, cases[k].us, BENCH_ROUNDS),
                  "times");
    }
    run_pass(&p[BACKWARD], 0);
    CUDA_CHECK(cudaMemcpy(h, d, all * sizeof *h, cudaMemcpyDeviceToHost));
    check_passes(n, c, h, h + size, h + 2 * size, h + 3 * size, h + 4 * size);
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("steps", 3000, 1, 1000000)};

    args_parse(argc, argv, "gradients, measured", args, ARG_COUNT(args));
    bench_begin("grad");
    bench_steps();
    bench_gallery((int)args[0].value);
#ifdef __LOOM__
    bench_passes(128, 64);
#else
    bench_passes(8192, 4096);
#endif
    return 0;
}

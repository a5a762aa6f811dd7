/* bench: differences, wrong gradients, and the time of the way back. */
#include "grad/bias_tanh.cuh"
#include "grad/gallery.h"
#include "grad/steps.h"
#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* print the error of differences */
static void bench_steps(void)
{
    static const char *const names[] = {"onesided_float", "central_float",
                                        "onesided_double", "central_double"};

    for (int i = 0; i < 4; i++)
        for (int k = 1; k <= STEPS_MOST; k++)
            bench_row(names[i], k, "error", steps_error(i / 2, i % 2, k), "");
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

/* run a pass on a set */
enum { COPY, FLAT, FORWARD_1, FORWARD_8, BACKWARD, PASSES };

static struct passes {
    int n, c;
    size_t size;  /* n c */
    float *x, *b; /* x, y, dy, dx for each set; b, then db */
} p;

static void run_pass(void *, int which, int set)
{
    float *x = p.x + 4 * p.size * (size_t)set, *y = x + p.size;
    float *dy = y + p.size, *dx = dy + p.size;

    if (which == COPY)
        CUDA_CHECK(cudaMemcpyAsync(dx, x, p.size * sizeof *x,
                                   cudaMemcpyDeviceToDevice, 0));
    else if (which == FLAT)
        bias_tanh_flat_run(p.n, p.c, x, p.b, y);
    else if (which == BACKWARD)
        bias_tanh_backward_run(p.n, p.c, y, dy, dx, p.b + p.c);
    else
        bias_tanh_forward_run(p.n, p.c, x, p.b, y, which == FORWARD_1 ? 1 : 8);
}

/* check a pass in the same run */
static void check_pass(const struct bench_case *v)
{
    int back = v->how == BACKWARD, c = p.c;
    size_t size = p.size;
    float *x = (float *)check_alloc(4 * size + 2 * c, sizeof *x);
    float *y = x + size, *dy = y + size, *dx = dy + size, *b = dx + size;
    double *sum = (double *)check_alloc(c, sizeof *sum);

    CUDA_CHECK(cudaMemset(p.x + (back ? 3 : 1) * size, 0xff, 4 * size));
    run_pass(NULL, v->how, 0);
    CUDA_CHECK(cudaMemcpy(x, p.x, 16 * size, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(b, p.b, 8 * (size_t)c, cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < size && v->how != COPY; k++) {
        double z = (double)x[k] + b[k % (unsigned)c];
        double d = dy[k] * (1 - (double)y[k] * y[k]);

        CHECK_NEAR(y[k], tanh(z), 8 * 0x1p-24, "rounding of x + b, tanhf");
        if (back)
            CHECK_NEAR(dx[k], d, 4 * 0x1p-24, "three roundings below 1");
        sum[k % (unsigned)c] += d;
    }
    for (int j = 0; j < c && back; j++)
        CHECK_NEAR(b[c + j], sum[j], (p.n / 32 + 40) * 0x1p-24 * p.n,
                   "n terms of at most 1, n / 32 + 32 in a row");
    free(x);
    free(sum);
}

/* measure the two passes */
static void bench_passes(int n, int c)
{
    size_t size = (size_t)n * c;
    struct bench_case table[PASSES] = {{"copy", run_pass, COPY},
                                       {"flat", run_pass, FLAT},
                                       {"forward_1", run_pass, FORWARD_1},
                                       {"forward_8", run_pass, FORWARD_8},
                                       {"backward", run_pass, BACKWARD}};
    struct bench b = {NULL, (long long)size, 8.0 * size};
    const struct bench_case *got;

    table[BACKWARD].bytes = 12.0 * size;
    b.sets = bench_sets(4 * size);
    b.check = check_pass;
    b.peer[0] = {"copy", "of_copy"};
    p = {n, c, size, random_floats(4 * size * b.sets, 1),
         random_floats(2 * (size_t)c, 2)};
    got = bench_run(table, PASSES, &b);
    for (int k = 0; k < PASSES; k++)
        bench_ratio(&got[k], &got[BACKWARD], "times", 1, "times");
    CUDA_CHECK(cudaFree(p.x));
    CUDA_CHECK(cudaFree(p.b));
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
    for (int n = 16; n <= 4096; n *= 16)
        bench_passes(n, 4096);
    bench_passes(8192, 4096);
#endif
    return 0;
}

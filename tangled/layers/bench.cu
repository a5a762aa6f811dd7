/* bench: the layers at the trainer's sizes, beside the copy and cuBLAS. */
#include <string.h>

#include "layers/batchnorm.cuh"
#include "layers/linear.cuh"
#include "layers/maxpool.cuh"
#include "layers/reference_d.h"
#include "layers/relu.cuh"
#include "layers/sgd.cuh"
#include "layers/xent.cuh"
#include "matmul/library.cuh"
#include "measure/bench.h"
#include "reduce/bound.h"
#include "tour/args.h"
#include "tour/rng.h"

/* hold what is measured */
struct work {
    int batch, c, side; /* batch x c planes of side x side */
    size_t n;           /* numbers in that */
    float *x, *dy, *y;  /* n for each set */
    unsigned char *which;
    float *small; /* six arrays of c, and the space of a batch norm */
};

static float *of_set(const struct work *w, float *a, int set)
{
    return a + (size_t)set * w->n;
}

static float *of_channel(const struct work *w, int k)
{
    return w->small + (size_t)k * w->c;
}

__global__ void fill_random(size_t n, float *x, uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        x[i] = 2 * rng_to_float(rng_at(seed, i)) - 1;
}

/* run the layers of the benchmark */
static void run_copy(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cudaMemcpyAsync(of_set(w, w->y, set), of_set(w, w->x, set),
                               w->n * sizeof(float), cudaMemcpyDeviceToDevice,
                               0));
}

static void run_relu(void *work, int set)
{
    struct work *w = (struct work *)work;

    relu_forward_run(w->n, of_set(w, w->x, set), of_set(w, w->y, set), 0);
}

static void run_relu_back(void *work, int set)
{
    struct work *w = (struct work *)work;

    relu_backward_run(w->n, of_set(w, w->x, set), of_set(w, w->dy, set),
                      of_set(w, w->y, set), 0);
}
static void run_norm(void *work, int set)
{
    struct work *w = (struct work *)work;

    batchnorm_forward_run(
        w->batch, w->c, w->side * w->side, 1e-5f, of_set(w, w->x, set),
        of_channel(w, 0), of_channel(w, 1), of_set(w, w->y, set),
        of_channel(w, 2), of_channel(w, 3), of_channel(w, 6), 0);
}

static void run_norm_given(void *work, int set)
{
    struct work *w = (struct work *)work;

    batchnorm_apply_run(w->batch, w->c, w->side * w->side, 1e-5f,
                        of_set(w, w->x, set), of_channel(w, 0),
                        of_channel(w, 1), of_channel(w, 0), of_channel(w, 1),
                        of_set(w, w->y, set), 0);
}

static void run_norm_back(void *work, int set)
{
    struct work *w = (struct work *)work;

    batchnorm_backward_run(
        w->batch, w->c, w->side * w->side, 1e-5f, of_set(w, w->x, set),
        of_channel(w, 0), of_channel(w, 1), of_channel(w, 0),
        of_set(w, w->dy, set), of_set(w, w->y, set), of_channel(w, 4),
        of_channel(w, 5), of_channel(w, 6), 0);
}
static void run_pool(void *work, int set)
{
    struct work *w = (struct work *)work;

    maxpool_forward_run(w->batch * w->c, w->side, w->side, of_set(w, w->x, set),
                        of_set(w, w->y, set), w->which + (size_t)set * w->n, 0);
}

static void run_pool_back(void *work, int set)
{
    struct work *w = (struct work *)work;

    maxpool_backward_run(w->batch * w->c, w->side, w->side,
                         of_set(w, w->dy, set), w->which + (size_t)set * w->n,
                         of_set(w, w->y, set), 0);
}

/* measure the layers at one size */
static const struct kind {
    const char *name;
    void (*run)(void *work, int set);
    double bytes; /* for each number of the input */
} kinds[] = {{"copy", run_copy, 8},
             {"relu", run_relu, 8},
             {"relu_back", run_relu_back, 12},
             {"norm", run_norm, 12},
             {"norm_given", run_norm_given, 8},
             {"norm_back", run_norm_back, 20},
             {"pool", run_pool, 5.25},
             {"pool_back", run_pool_back, 5.25}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void measure_layers(struct work *w, int layer, int sets)
{
    static struct bench_case cases[KINDS];
    static char names[KINDS][24];

    memset(cases, 0, sizeof cases);
    for (int k = 0; k < KINDS; k++) {
        snprintf(names[k], sizeof names[k], "%s%d", kinds[k].name, layer);
        cases[k].variant = names[k];
        cases[k].launch = kinds[k].run;
        cases[k].work = w;
    }
    run_pool(w, 0);
    bench_measure(cases, KINDS, sets);
    for (int k = 0; k < KINDS; k++) {
        struct bench_case peer = cases[0];

        for (int i = 0; i < BENCH_ROUNDS; i++)
            peer.us[i] *= kinds[k].bytes / kinds[0].bytes;
        bench_report(&cases[k], 1, w->batch, kinds[k].bytes * (double)w->n,
                     &peer, "of_copy");
    }
}

/* check a channel */
/* Fetches channel 1 of set 0 of an array on the device, as doubles. */
static double *channel(const struct work *w, const float *d, int side)
{
    size_t p = (size_t)side * side, n = (size_t)w->batch * w->c * p;
    float *h = (float *)check_alloc(n, sizeof *h);
    double *out = (double *)check_alloc(w->batch * p, sizeof *out);

    CUDA_CHECK(cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < w->batch * p; i++)
        out[i] = h[(i / p * w->c + 1) * p + i % p];
    free(h);
    return out;
}

static void compare(const char *name, size_t n, const double *want, double *got)
{
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(got[i], want[i], 0x1p-12, name);
    free(got);
}
static void check_layers(struct work *w)
{
    int hw = w->side * w->side;
    size_t n = (size_t)w->batch * hw;
    double *x = channel(w, w->x, w->side), *dy = channel(w, w->dy, w->side);
    double *want = (double *)check_alloc(n, sizeof *want), m, v, g[4];
    float s[6];
    unsigned char *which = (unsigned char *)check_alloc(n, 1);

    run_norm(w, 0);
    for (int k = 0; k < 6; k++)
        CUDA_CHECK(
            cudaMemcpy(&s[k], of_channel(w, k) + 1, 4, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 4; k++)
        g[k] = s[k];
    batchnorm_moments(w->batch, 1, hw, x, &m, &v);
    CHECK_NEAR(s[2], m, 0x1p-12, "mean");
    CHECK_NEAR(s[3], v, 0x1p-12, "variance");
    batchnorm_apply(w->batch, 1, hw, 1e-5, x, &m, &v, &g[0], &g[1], want);
    compare("norm", n, want, channel(w, w->y, w->side));
    /* check the other layers of a channel */
    run_norm_given(w, 0);
    batchnorm_apply(w->batch, 1, hw, 1e-5, x, &g[0], &g[1], &g[0], &g[1], want);
    compare("norm_given", n, want, channel(w, w->y, w->side));
    run_norm_back(w, 0);
    batchnorm_backward(w->batch, 1, hw, 1e-5, x, &g[0], &g[1], &g[0], dy, want,
                       &m, &v);
    compare("norm_back", n, want, channel(w, w->y, w->side));
    run_relu(w, 0);
    relu_forward(n, x, want);
    compare("relu", n, want, channel(w, w->y, w->side));
    run_relu_back(w, 0);
    relu_backward(n, x, dy, want);
    compare("relu_back", n, want, channel(w, w->y, w->side));
    run_pool(w, 0);
    maxpool_forward(w->batch, w->side, w->side, x, want, which);
    compare("pool", n / 4, want, channel(w, w->y, w->side / 2));
    run_pool_back(w, 0);
    free(dy);
    dy = channel(w, w->dy, w->side / 2);
    maxpool_backward(w->batch, w->side, w->side, dy, which, want);
    compare("pool_back", n, want, channel(w, w->y, w->side));
    free(x);
    free(dy);
    free(want);
    free(which);
}

/* measure a linear layer */
struct line {
    int batch, in, out;
    float *x, *w, *bias, *dy, *y, *dx, *dw, *db;
};

static cublasHandle_t cublas;

static void run_line(void *work, int set)
{
    struct line *s = (struct line *)work;

    (void)set;
    linear_forward_run(s->batch, s->in, s->out, s->x, s->w, s->bias, s->y, 0);
}

static void run_line_back(void *work, int set)
{
    struct line *s = (struct line *)work;

    (void)set;
    linear_backward_run(s->batch, s->in, s->out, s->x, s->w, s->dy, s->dx,
                        s->dw, s->db, 0);
}
static void run_cublas(void *work, int set)
{
    struct line *s = (struct line *)work;
    size_t n = (size_t)s->batch * s->out;

    (void)set;
    linear_bias<<<blocks_for(n, 256), 256>>>(n, s->out, s->bias, s->y);
    matmul_library(cublas, 'N', 'T', s->batch, s->out, s->in, 1, s->x, s->in,
                   s->w, s->in, 1, s->y, s->out, 0);
}

static void run_cublas_back(void *work, int set)
{
    struct line *s = (struct line *)work;

    (void)set;
    matmul_library(cublas, 'N', 'N', s->batch, s->in, s->out, 1, s->dy, s->out,
                   s->w, s->in, 0, s->dx, s->in, 0);
    matmul_library(cublas, 'T', 'N', s->out, s->in, s->batch, 1, s->dy, s->out,
                   s->x, s->in, 0, s->dw, s->in, 0);
    linear_columns<<<(s->out + WARP - 1) / WARP, dim3(WARP, WARP)>>>(
        s->batch, s->out, s->dy, s->db);
}
static void measure_line(struct line *s, int layer)
{
    double flops = 2.0 * s->batch * s->in * s->out;
    static struct bench_case cases[4];
    static char names[4][24];
    static const char *const name[] = {"linear", "linear_cublas", "linear_back",
                                       "linear_back_cublas"};

    memset(cases, 0, sizeof cases);
    for (int k = 0; k < 4; k++) {
        snprintf(names[k], sizeof names[k], "%s%d", name[k], layer);
        cases[k].variant = names[k];
        cases[k].work = s;
    }
    cases[0].launch = run_line;
    cases[1].launch = run_cublas;
    cases[2].launch = run_line_back;
    cases[3].launch = run_cublas_back;
    bench_measure(cases, 4, 1);
    bench_report(cases, 2, s->batch, 0, &cases[1], "of_cublas");
    bench_flops(cases, 2, s->batch, flops);
    bench_report(cases + 2, 2, s->batch, 0, &cases[3], "of_cublas");
    bench_flops(cases + 2, 2, s->batch, 2 * flops);
}

/* compare the products */
static void compare_line(struct line *s)
{
    size_t n[] = {(size_t)s->batch * s->out, (size_t)s->batch * s->in,
                  (size_t)s->out * s->in};
    float *d[] = {s->y, s->dx, s->dw};

    for (int k = 0; k < 3; k++) {
        float *a = (float *)check_alloc(2 * n[k], sizeof *a), *b = a + n[k];

        run_line(s, 0);
        run_line_back(s, 0);
        CUDA_CHECK(cudaMemcpy(a, d[k], n[k] * 4, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemset(d[k], 0xff, n[k] * 4));
        run_cublas(s, 0);
        run_cublas_back(s, 0);
        CUDA_CHECK(cudaMemcpy(b, d[k], n[k] * 4, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < n[k]; i++)
            CHECK_NEAR(a[i], b[i], 2 * bound_dot(3136, 3136, BOUND_FLOAT, 3137),
                       "two orders of additions");
        free(a);
    }
}

/* measure the loss and the step */
struct tail {
    int batch;
    size_t n;
    float *x, *logp, *losses, *dx;
    int *label;
};

static void run_loss(void *work, int set)
{
    struct tail *t = (struct tail *)work;

    (void)set;
    xent_forward_run(t->batch, 10, t->x, t->label, t->logp, t->losses,
                     t->losses + t->batch, 0);
    xent_backward_run(t->batch, 10, t->logp, t->label, t->dx, 0);
}

static void run_step(void *work, int set)
{
    struct tail *t = (struct tail *)work;

    (void)set;
    sgd_run(t->n, 0.01f, t->x, t->dx, 0);
}

static void measure_tail(int batch, float *d)
{
    size_t n = 421738, room = n + 2;
    struct tail t = {batch, n, d, d + room, d + 2 * room, d + 3 * room, NULL};
    struct bench_case cases[2] = {{"loss", run_loss, &t, NULL, 0, 0, {0}},
                                  {"step", run_step, &t, NULL, 0, 0, {0}}};

    CUDA_CHECK(cudaMalloc((void **)&t.label, batch * sizeof *t.label));
    CUDA_CHECK(cudaMemset(t.label, 0, batch * sizeof *t.label));
    bench_measure(cases, 2, 1);
    bench_report(cases, 1, batch, 0, NULL, NULL);
    bench_report(cases + 1, 1, batch, 12.0 * (double)n, NULL, NULL);
    CUDA_CHECK(cudaFree(t.label));
}

/* measure one batch size */
static float *random_floats(size_t n, uint64_t seed)
{
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    fill_random<<<1024, 256>>>(n, d, seed);
    CUDA_LAUNCH_CHECK();
    return d;
}

static void bench_layer(int layer, int batch, int c, int side, uint64_t seed)
{
    struct work w = {batch, c,    side, (size_t)batch * c * side * side,
                     NULL,  NULL, NULL, NULL,
                     NULL};
    int sets = bench_sets(8 * w.n);
    float h[6 * 64];

    w.x = random_floats(w.n * sets, seed);
    w.dy = random_floats(w.n * sets, seed + 1);
    w.y = random_floats(w.n * sets, seed + 2);
    CUDA_CHECK(cudaMalloc((void **)&w.which, w.n * sets));
    CUDA_CHECK(cudaMemset(w.which, 1, w.n * sets));
    CUDA_CHECK(cudaMalloc((void **)&w.small, 6 * c * 4 + batchnorm_space(c)));
    for (int i = 0; i < 6 * c; i++)
        h[i] = 0.5f + rng_float(&seed);
    CUDA_CHECK(cudaMemcpy(w.small, h, 6 * c * 4, cudaMemcpyHostToDevice));
    measure_layers(&w, layer, sets);
    check_layers(&w);
    CUDA_CHECK(cudaFree(w.x));
    CUDA_CHECK(cudaFree(w.dy));
    CUDA_CHECK(cudaFree(w.y));
    CUDA_CHECK(cudaFree(w.which));
    CUDA_CHECK(cudaFree(w.small));
}
static void bench_line(int layer, int batch, int in, int out, uint64_t seed)
{
    size_t nx = (size_t)batch * in, nw = (size_t)out * in;
    size_t ny = (size_t)batch * out, n = 2 * (nx + nw + ny) + 2 * out;
    float *d = random_floats(n, seed);
    struct line s = {batch,
                     in,
                     out,
                     d,
                     d + nx,
                     d + n - out,
                     d + nx + nw,
                     d + nx + nw + ny,
                     d + nx + nw + 2 * ny,
                     d + 2 * nx + nw + 2 * ny,
                     d + n - 2 * out};

    measure_line(&s, layer);
    compare_line(&s);
    CUDA_CHECK(cudaFree(d));
}

/* run the benchmark of the layers */
int main(int argc, char **argv)
{
#ifdef __SIMT__
    static const int batches[] = {2};
#else
    static const int batches[] = {64, 256, 1024};
#endif
    uint64_t seed = args_parse(argc, argv, "the layers, measured", NULL, 0);

    CUBLAS_CHECK(cublasCreate(&cublas));
    bench_begin("layers");
    for (size_t k = 0; k < sizeof batches / sizeof *batches; k++) {
        int b = batches[k];
        float *d = random_floats(4 * (421738 + 2), seed);

        bench_layer(1, b, 32, 28, seed);
        bench_layer(2, b, 64, 14, seed);
        bench_line(1, b, 3136, 128, seed);
        bench_line(2, b, 128, 10, seed);
        measure_tail(b, d);
        CUDA_CHECK(cudaFree(d));
    }
    CUBLAS_CHECK(cublasDestroy(cublas));
    return 0;
}

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

#define EPS 1e-5f

/* hold what is measured */
enum kind {
    COPY,
    RELU,
    RELU_BACK,
    NORM,
    NORM_GIVEN,
    NORM_BACK,
    POOL,
    POOL_BACK,
    KINDS
};

static const char *const kind_names[] = {"copy", "relu",       "relu_back",
                                         "norm", "norm_given", "norm_back",
                                         "pool", "pool_back"};

/* Bytes for each number of the input. */
static const double kind_bytes[] = {8, 8, 12, 12, 8, 20, 5.25, 5.25};

struct work {
    enum kind kind;
    int batch, c, side; /* batch x c planes of side x side */
    size_t n;           /* numbers in that */
    float *x, *dy, *y;  /* n for each set */
    unsigned char *which;
    float *k[7]; /* c each: scale, shift, mean, var, dscale, dshift; space */
};

/* run a layer on a set */
static void run_layer(void *work, int set)
{
    struct work *w = (struct work *)work;
    int b = w->batch, c = w->c, side = w->side, hw = side * side;
    size_t n = w->n, at = (size_t)set * n;
    float *x = w->x + at, *dy = w->dy + at, *y = w->y + at, **k = w->k;
    unsigned char *which = w->which + at;

    if (w->kind == COPY)
        CUDA_CHECK(cudaMemcpyAsync(y, x, 4 * n, cudaMemcpyDeviceToDevice, 0));
    if (w->kind == RELU)
        relu_forward_run(n, x, y, 0);
    if (w->kind == RELU_BACK)
        relu_backward_run(n, x, dy, y, 0);
    if (w->kind == NORM)
        batchnorm_forward_run(b, c, hw, EPS, x, k[0], k[1], y, k[2], k[3], k[6],
                              0);
    if (w->kind == NORM_GIVEN)
        batchnorm_apply_run(b, c, hw, EPS, x, k[2], k[3], k[0], k[1], y, 0);
    if (w->kind == NORM_BACK)
        batchnorm_backward_run(b, c, hw, EPS, x, k[2], k[3], k[0], dy, y, k[4],
                               k[5], k[6], 0);
    if (w->kind == POOL)
        maxpool_forward_run(b * c, side, side, x, y, which, 0);
    if (w->kind == POOL_BACK)
        maxpool_backward_run(b * c, side, side, dy, which, y, 0);
}

/* fetch a number and pool a channel */
static double *channel(const struct work *w, const float *d, int side);

static double fetched(const float *d)
{
    float h;

    CUDA_CHECK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}

static void pool_channel(const struct work *w, const double *x, double *want)
{
    int b = w->batch, side = w->side;
    size_t n = (size_t)b * side * side;
    unsigned char *which = (unsigned char *)check_alloc(n, 1);
    double *dy = channel(w, w->dy, side / 2);

    maxpool_forward(b, side, side, x, want, which);
    if (w->kind == POOL_BACK)
        maxpool_backward(b, side, side, dy, which, want);
    free(which);
    free(dy);
}

/* check a channel */
/* Channel 1 of set 0 of an array on the device, as doubles. */
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

static void check_layer(struct work *w)
{
    int b = w->batch, side = w->side, hw = side * side;
    int small = w->kind == POOL ? side / 2 : side;
    size_t n = (size_t)b * hw, out = (size_t)b * small * small;
    double *x = channel(w, w->x, side), *dy = channel(w, w->dy, side), *got;
    double *want = (double *)check_alloc(n, sizeof *want), k[6];

    run_layer(w, 0);
    got = channel(w, w->y, small);
    for (int i = 0; i < 6; i++)
        k[i] = fetched(w->k[i] + 1);
    /* compute a channel by the reference */
    if (w->kind == COPY)
        memcpy(want, x, n * sizeof *x);
    if (w->kind == RELU)
        relu_forward(n, x, want);
    if (w->kind == RELU_BACK)
        relu_backward(n, x, dy, want);
    if (w->kind == NORM)
        batchnorm_moments(b, 1, hw, x, &k[2], &k[3]);
    if (w->kind == NORM || w->kind == NORM_GIVEN)
        batchnorm_apply(b, 1, hw, EPS, x, &k[2], &k[3], &k[0], &k[1], want);
    if (w->kind == NORM_BACK)
        batchnorm_backward(b, 1, hw, EPS, x, &k[2], &k[3], &k[0], dy, want,
                           &k[4], &k[5]);
    if (w->kind == POOL || w->kind == POOL_BACK)
        pool_channel(w, x, want);
    for (size_t i = 0; i < out; i++)
        CHECK_NEAR(got[i], want[i], 0x1p-12, kind_names[w->kind]);
    free(x);
    free(dy);
    free(want);
    free(got);
}

/* measure the layers at one size */
static void measure_layers(const struct work *all, int layer, int sets)
{
    static struct bench_case cases[KINDS], peer;
    static char names[KINDS][24];
    struct work work[KINDS];

    memset(cases, 0, sizeof cases);
    for (int k = 0; k < KINDS; k++) {
        work[k] = *all;
        work[k].kind = (enum kind)k;
        snprintf(names[k], sizeof names[k], "%s%d", kind_names[k], layer);
        cases[k].variant = names[k];
        cases[k].launch = run_layer;
        cases[k].work = &work[k];
        check_layer(&work[k]);
    }
    bench_measure(cases, KINDS, sets);
    for (int k = 0; k < KINDS; k++) {
        peer = cases[COPY];
        for (int i = 0; i < BENCH_ROUNDS; i++)
            peer.us[i] *= kind_bytes[k] / kind_bytes[COPY];
        bench_report(&cases[k], 1, all->batch, kind_bytes[k] * (double)all->n,
                     &peer, "of_copy");
    }
}
__global__ void fill_random(size_t n, float *x, float least, float most,
                            uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        x[i] = least + (most - least) * rng_to_float(rng_at(seed, i));
}

static float *random_floats(size_t n, float least, float most, uint64_t seed)
{
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    fill_random<<<1024, 256>>>(n, d, least, most, seed);
    CUDA_LAUNCH_CHECK();
    return d;
}

static void bench_layer(int layer, int batch, int c, int side, uint64_t seed)
{
    struct work w = {COPY, batch, c,    side, (size_t)batch * c * side * side,
                     NULL, NULL,  NULL, NULL, {0}};
    size_t sets = bench_sets(8 * w.n), all = w.n * sets;

    w.x = random_floats(3 * all, -1, 1, seed);
    w.dy = w.x + all;
    w.y = w.dy + all;
    CUDA_CHECK(cudaMalloc((void **)&w.which, all));
    CUDA_CHECK(cudaMemset(w.which, 1, all));
    w.k[0] = random_floats(6 * c + batchnorm_space(c), 0.5, 1.5, seed);
    for (int k = 1; k < 7; k++)
        w.k[k] = w.k[0] + (size_t)k * c;
    measure_layers(&w, layer, (int)sets);
    CUDA_CHECK(cudaFree(w.x));
    CUDA_CHECK(cudaFree(w.k[0]));
    CUDA_CHECK(cudaFree(w.which));
}

/* measure a linear layer */
static cublasHandle_t cublas;

struct line {
    int library, back, batch, in, out;
    float *x, *w, *bias, *dy, *y, *dx, *dw, *db;
};

static void run_library(const struct line *s)
{
    int b = s->batch, in = s->in, out = s->out;
    size_t n = (size_t)b * out;

    if (!s->back) {
        linear_bias<<<blocks_for(n, 256), 256>>>(n, out, s->bias, s->y);
        matmul_library(cublas, 'N', 'T', b, out, in, 1, s->x, in, s->w, in, 1,
                       s->y, out, 0);
        return;
    }
    matmul_library(cublas, 'N', 'N', b, in, out, 1, s->dy, out, s->w, in, 0,
                   s->dx, in, 0);
    matmul_library(cublas, 'T', 'N', out, in, b, 1, s->dy, out, s->x, in, 0,
                   s->dw, in, 0);
    linear_columns<<<(out + WARP - 1) / WARP, dim3(WARP, WARP)>>>(b, out, s->dy,
                                                                  s->db);
}
static void run_line(void *work, int set)
{
    struct line *s = (struct line *)work;
    int b = s->batch, in = s->in, out = s->out;

    (void)set;
    if (!s->library && !s->back)
        linear_forward_run(b, in, out, s->x, s->w, s->bias, s->y, 0);
    else if (!s->library)
        linear_backward_run(b, in, out, s->x, s->w, s->dy, s->dx, s->dw, s->db,
                            0);
    else
        run_library(s);
}
static void compare_lines(struct line *s, float *d, size_t n, double terms)
{
    float *h[2];

    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaMemset(d, 0xff, n * 4));
        run_line(&s[k], 0);
        h[k] = (float *)check_alloc(n, 4);
        CUDA_CHECK(cudaMemcpy(h[k], d, n * 4, cudaMemcpyDeviceToHost));
    }
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(h[0][i], h[1][i],
                   2 * bound_dot(terms, terms, BOUND_FLOAT, terms),
                   "two orders of additions");
    free(h[0]);
    free(h[1]);
}
static void bench_line(int layer, int b, int in, int out, uint64_t seed)
{
    size_t nx = (size_t)b * in, nw = (size_t)out * in, ny = (size_t)b * out;
    float *d = random_floats(2 * (nx + nw + ny + out), -1, 1, seed);
    struct line line = {0,    0,    b,    in,   out,  d,   NULL,
                        NULL, NULL, NULL, NULL, NULL, NULL},
                s[4];
    static struct bench_case cases[4];
    static char names[4][24];

    /* give a linear layer its arrays */
    line.dx = line.x + nx;
    line.w = line.dx + nx;
    line.dw = line.w + nw;
    line.y = line.dw + nw;
    line.dy = line.y + ny;
    line.bias = line.dy + ny;
    line.db = line.bias + out;
    /* list a linear layer's four cases */
    memset(cases, 0, sizeof cases);
    for (int k = 0; k < 4; k++) {
        s[k] = line;
        s[k].library = k % 2;
        s[k].back = k / 2;
        snprintf(names[k], sizeof names[k], "linear%s%s%d",
                 k / 2 ? "_back" : "", k % 2 ? "_cublas" : "", layer);
        cases[k].variant = names[k];
        cases[k].launch = run_line;
        cases[k].work = &s[k];
    }
    compare_lines(s, s->y, ny, in + 1);
    compare_lines(s + 2, s->dw, nw, b);
    bench_measure(cases, 4, 1);
    for (int k = 0; k < 4; k += 2) {
        bench_report(cases + k, 2, b, 0, &cases[k + 1], "of_cublas");
        bench_flops(cases + k, 2, b, (2.0 + k) * b * in * out);
    }
    CUDA_CHECK(cudaFree(d));
}

/* measure the loss and the step */
enum { STEP = 421738 }; /* the trainer's weights */

struct tail {
    int batch, *label;
    float *d; /* five times as many numbers */
};

static void run_loss(void *work, int set)
{
    struct tail *t = (struct tail *)work;
    float *x = t->d, *logp = x + STEP, *losses = logp + STEP;

    (void)set;
    xent_forward_run(t->batch, 10, x, t->label, logp, losses, losses + t->batch,
                     0);
    xent_backward_run(t->batch, 10, logp, t->label, losses + STEP, 0);
}

static void run_step(void *work, int set)
{
    struct tail *t = (struct tail *)work;

    (void)set;
    sgd_run(STEP, 0.01f, t->d, t->d + 4 * STEP, 0);
}
static void bench_tail(int batch, uint64_t seed)
{
    struct tail t = {batch, NULL, random_floats(5 * STEP, -1, 1, seed)};
    struct bench_case cases[2] = {{"loss", run_loss, &t, NULL, 0, 0, {0}},
                                  {"step", run_step, &t, NULL, 0, 0, {0}}};

    CUDA_CHECK(cudaMalloc((void **)&t.label, batch * sizeof *t.label));
    CUDA_CHECK(cudaMemset(t.label, 0, batch * sizeof *t.label));
    bench_measure(cases, 2, 1);
    bench_report(cases, 1, batch, 0, NULL, NULL);
    bench_report(cases + 1, 1, batch, 12.0 * STEP, NULL, NULL);
    CUDA_CHECK(cudaFree(t.label));
    CUDA_CHECK(cudaFree(t.d));
}

/* run the benchmark of the layers */
int main(int argc, char **argv)
{
#ifdef __SIMT__
    enum { WIDTH = 8, LEAST = 2, MOST = 2 };
#else
    enum { WIDTH = 1, LEAST = 64, MOST = 1024 };
#endif
    uint64_t seed = args_parse(argc, argv, "the layers, measured", NULL, 0);

    CUBLAS_CHECK(cublasCreate(&cublas));
    bench_begin("layers");
    for (int b = LEAST; b <= MOST; b *= 4) {
        bench_layer(1, b, 32 / WIDTH, 28, seed);
        bench_layer(2, b, 64 / WIDTH, 14, seed);
        bench_line(1, b, 3136 / WIDTH, 128 / WIDTH, seed);
        bench_line(2, b, 128 / WIDTH, 10, seed);
        bench_tail(b, seed);
    }
    CUBLAS_CHECK(cublasDestroy(cublas));
    return 0;
}

/* bench: the layers at the trainer's sizes, beside the copy and cuBLAS. */
#include <string.h>

#include "layers/try_linear.cuh"
#include "layers/try_norm.cuh"
#include "layers/try_pool.cuh"
#include "layers/try_relu.cuh"
#include "layers/try_xent.cuh"
#include "matmul/library.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* hold what is measured */
enum kind { COPY, RELU, RELU_BACK, NORM, GIVEN, NORM_BACK, POOL, POOL_BACK };

enum { KINDS = 8 };

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
    if (w->kind == GIVEN)
        batchnorm_apply_run(b, c, hw, EPS, x, k[2], k[3], k[0], k[1], y, 0);
    if (w->kind == NORM_BACK)
        batchnorm_backward_run(b, c, hw, EPS, x, k[2], k[3], k[0], dy, y, k[4],
                               k[5], k[6], 0);
    if (w->kind == POOL)
        maxpool_forward_run(b * c, side, side, x, y, which, 0);
    if (w->kind == POOL_BACK)
        maxpool_backward_run(b * c, side, side, dy, which, y, 0);
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
    int batch, in, out;
    float *x, *w, *bias, *dy, *y, *dx, *dw, *db;
};

static void run_library(void *work, int back)
{
    struct line *s = (struct line *)work;
    int b = s->batch, in = s->in, out = s->out, cols = (out + WARP - 1) / WARP;
    size_t n = (size_t)b * out;

    if (!back) {
        linear_bias<<<blocks_for(n, 256), 256>>>(n, out, s->bias, s->y);
        matmul_library(cublas, 'N', 'T', b, out, in, 1, s->x, in, s->w, in, 1,
                       s->y, out, 0);
        return;
    }
    matmul_library(cublas, 'N', 'N', b, in, out, 1, s->dy, out, s->w, in, 0,
                   s->dx, in, 0);
    matmul_library(cublas, 'T', 'N', out, in, b, 1, s->dy, out, s->x, in, 0,
                   s->dw, in, 0);
    linear_columns<<<cols, dim3(WARP, WARP)>>>(b, out, s->dy, s->db);
}
static void run_tiles(void *work, int back)
{
    struct line *s = (struct line *)work;

    if (!back)
        linear_forward_run(s->batch, s->in, s->out, s->x, s->w, s->bias, s->y,
                           0);
    else
        linear_backward_run(s->batch, s->in, s->out, s->x, s->w, s->dy, s->dx,
                            s->dw, s->db, 0);
}

static void run_tiles_back(void *work, int set)
{
    run_tiles(work, set + 1);
}

static void run_library_back(void *work, int set)
{
    run_library(work, set + 1);
}
static void bench_line(int layer, int b, int in, int out, uint64_t seed)
{
    size_t nx = (size_t)b * in, nw = (size_t)out * in, ny = (size_t)b * out;
    float *d = random_floats(2 * (nx + nw + ny + out), -1, 1, seed);
    float *w = d + 2 * nx, *y = w + 2 * nw, *bias = y + 2 * ny;
    struct line s = {b,      in, out,    d,      w,         bias,
                     y + ny, y,  d + nx, w + nw, bias + out};
    struct bench_case cases[4] = {
        {"linear", run_tiles, &s, NULL, 0, 0, {0}},
        {"linear_cublas", run_library, &s, NULL, 0, 0, {0}},
        {"linear_back", run_tiles_back, &s, NULL, 0, 0, {0}},
        {"linear_back_cublas", run_library_back, &s, NULL, 0, 0, {0}}};
    char names[4][24];

    for (int k = 0; k < 4; k++) {
        snprintf(names[k], sizeof names[k], "%s%d", cases[k].variant, layer);
        cases[k].variant = names[k];
    }
    bench_measure(cases, 4, 1);
    for (int k = 0; k < 4; k += 2) {
        bench_report(cases + k, 2, b, 0, &cases[k + 1], "of_cublas");
        bench_flops(cases + k, 2, b, (2.0 + k) * b * in * out);
    }
    CUDA_CHECK(cudaFree(d));
}

/* run the benchmark of the layers */
static void try_layers(int c, int side, int in, int out, uint64_t seed)
{
    int norm[3] = {4, c, side * side}, pool[3] = {4 * c, side, side};
    int line[3] = {4, in, out}, numbers[3] = {4 * c * side * side, 1, 1};

    trial("norm", run_norm, norm, 0, 0, seed);
    trial("pool", run_pool, pool, 0, 0, seed);
    trial("relu", run_relu, numbers, 0, 0, seed);
    trial("linear", run_linear, line, 0, 0, seed);
    trial("xent", run_xent, norm, 0, 0, seed);
}
int main(int argc, char **argv)
{
#ifdef __LOOM__
    enum { WIDTH = 8, LEAST = 2, MOST = 2 };
#else
    enum { WIDTH = 1, LEAST = 64, MOST = 1024 };
#endif
    uint64_t seed = args_parse(argc, argv, "the layers, measured", NULL, 0);

    CUBLAS_CHECK(cublasCreate(&cublas));
    bench_begin("layers");
    try_layers(32 / WIDTH, 28, 3136 / WIDTH, 128 / WIDTH, seed);
    try_layers(64 / WIDTH, 14, 128 / WIDTH, 10, seed);
    for (int b = LEAST; b <= MOST; b *= 4) {
        bench_layer(1, b, 32 / WIDTH, 28, seed);
        bench_layer(2, b, 64 / WIDTH, 14, seed);
        bench_line(1, b, 3136 / WIDTH, 128 / WIDTH, seed);
        bench_line(2, b, 128 / WIDTH, 10, seed);
    }
    CUBLAS_CHECK(cublasDestroy(cublas));
    return 0;
}

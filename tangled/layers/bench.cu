/* bench: the layers at the trainer's sizes, beside the copy and cuBLAS. */
#include "kernels/fill.cuh"
#include "layers/try_linear.cuh"
#include "layers/try_norm.cuh"
#include "layers/try_pool.cuh"
#include "layers/try_relu.cuh"
#include "layers/try_xent.cuh"
#include "matmul/library.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* list the layers */
enum kind {
    COPY,
    RELU,
    RELU_BACK,
    NORM,
    GIVEN,
    NORM_BACK,
    POOL,
    POOL_BACK,
    MOMENTS,
    SUMS,
    GIVEN_WIDE,
    KINDS
};

static const struct {
    const char *name;
    double bytes;
} kinds[KINDS] = {{"copy", 8},      {"relu", 8},         {"relu_back", 12},
                  {"norm", 12},     {"norm_given", 8},   {"norm_back", 20},
                  {"pool", 5.25},   {"pool_back", 5.25}, {"norm_moments", 4},
                  {"norm_sums", 4}, {"norm_wide", 8}};

static struct planes {
    int batch, c, side; /* batch x c planes of side x side */
    size_t n;           /* numbers in that */
    float *x, *dy, *y;  /* n for each set */
    unsigned char *which;
    float *k[7]; /* c each: scale, shift, mean, var, dscale, dshift; space */
} p;

/* run a layer on a set */
static void run_layer(void *, int how, int set)
{
    int b = p.batch, c = p.c, side = p.side, hw = side * side, hv = hw / 4;
    size_t n = p.n, at = (size_t)set * n;
    float *x = p.x + at, *dy = p.dy + at, *y = p.y + at, **k = p.k;
    unsigned char *which = p.which + at;
    dim3 wide((unsigned)ceil_div((size_t)b * hv, NORM_THREADS), c);

    if (how == COPY)
        CUDA_CHECK(cudaMemcpyAsync(y, x, 4 * n, cudaMemcpyDeviceToDevice, 0));
    if (how == RELU)
        relu_forward_run(n, x, y, 0);
    if (how == RELU_BACK)
        relu_backward_run(n, x, dy, y, 0);
    if (how == NORM)
        batchnorm_forward_run(b, c, hw, EPS, x, k[0], k[1], y, k[2], k[3], k[6],
                              0);
    if (how == GIVEN)
        batchnorm_apply_run(b, c, hw, EPS, x, k[2], k[3], k[0], k[1], y, 0);
    if (how == NORM_BACK)
        batchnorm_backward_run(b, c, hw, EPS, x, k[2], k[3], k[0], dy, y, k[4],
                               k[5], k[6], 0);
    if (how == POOL)
        maxpool_forward_run(b * c, side, side, x, y, which, 0);
    if (how == POOL_BACK)
        maxpool_backward_run(b * c, side, side, dy, which, y, 0);
    if (how == MOMENTS)
        norm_moments<<<norm_grid(b, c, hv), NORM_THREADS>>>(
            b, c, hv, (float4 *)x, (struct moments *)k[6]);
    if (how == SUMS)
        norm_sums<<<norm_grid(b, c, hv), NORM_THREADS>>>(
            b, c, hv, EPS, (float4 *)x, k[2], k[3], (float4 *)x,
            (float2 *)k[6]);
    if (how == GIVEN_WIDE)
        norm_apply<<<wide, NORM_THREADS>>>(b, c, hv, EPS, (float4 *)x,
                                           (struct moments *)NULL, k[0], k[1],
                                           (float4 *)y, k[2], k[3]);
}

/* measure the layers at one size */
static void bench_layer(int layer, int batch, int c, int side, uint64_t seed)
{
    size_t n = (size_t)batch * c * side * side, sets = bench_sets(4 * n);
    struct bench_case table[KINDS];
    struct bench b = {NULL, batch};
    const struct bench_case *got;
    char names[KINDS][24];

    p = {batch, c, side, n, random_floats(3 * n * sets, seed)};
    p.dy = p.x + n * sets;
    p.y = p.dy + n * sets;
    CUDA_CHECK(cudaMalloc((void **)&p.which, n * sets));
    CUDA_CHECK(cudaMemset(p.which, 1, n * sets));
    p.k[0] = random_floats(6 * c + batchnorm_space(c), seed + 1);
    for (int k = 1; k < 7; k++)
        p.k[k] = p.k[0] + (size_t)k * c;
    b.sets = (int)sets;
    for (int k = 0; k < KINDS; k++) {
        snprintf(names[k], sizeof names[k], "%s%d", kinds[k].name, layer);
        table[k] = {names[k], run_layer, k};
        table[k].bytes = kinds[k].bytes * n;
    }
    got = bench_run(table, KINDS, &b);
    for (int k = 0; k < KINDS; k++)
        bench_ratio(&got[k], &got[COPY], "of_copy",
                    100 * kinds[k].bytes / kinds[COPY].bytes, "%");
    CUDA_CHECK(cudaFree(p.x));
    CUDA_CHECK(cudaFree(p.k[0]));
    CUDA_CHECK(cudaFree(p.which));
}

/* measure a linear layer */
static cublasHandle_t cublas;

struct line {
    int batch, in, out;
    float *x, *w, *bias, *dy, *y, *dx, *dw, *db;
};

static void run_library(const struct line *s, int back)
{
    int b = s->batch, in = s->in, out = s->out, cols = (out + WARP - 1) / WARP;
    size_t n = (size_t)b * out;
    cudaStream_t stream = cudaStreamPerThread;

    if (!back) {
        linear_bias<<<blocks_for(n, 256), 256>>>(n, out, s->bias, s->y);
        matmul_library(cublas, 'N', 'T', b, out, in, 1, s->x, in, s->w, in, 1,
                       s->y, out, stream);
        return;
    }
    matmul_library(cublas, 'N', 'N', b, in, out, 1, s->dy, out, s->w, in, 0,
                   s->dx, in, stream);
    matmul_library(cublas, 'T', 'N', out, in, b, 1, s->dy, out, s->x, in, 0,
                   s->dw, in, stream);
    linear_columns<<<cols, dim3(WARP, WARP)>>>(b, out, s->dy, s->db);
}

static void run_line(void *work, int how, int)
{
    const struct line *s = (const struct line *)work;

    if (how & 1)
        run_library(s, how & 2);
    else if (how & 2)
        linear_backward_run(s->batch, s->in, s->out, s->x, s->w, s->dy, s->dx,
                            s->dw, s->db, 0);
    else
        linear_forward_run(s->batch, s->in, s->out, s->x, s->w, s->bias, s->y,
                           0);
}
static void bench_line(int layer, int b, int in, int out, uint64_t seed)
{
    static const char *const names[] = {"linear", "linear_cublas",
                                        "linear_back", "linear_back_cublas"};
    size_t nx = (size_t)b * in, nw = (size_t)out * in, ny = (size_t)b * out;
    float *d = random_floats(2 * (nx + nw + ny + out), seed);
    float *w = d + 2 * nx, *y = w + 2 * nw, *bias = y + 2 * ny;
    struct line s = {b,      in, out,    d,      w,         bias,
                     y + ny, y,  d + nx, w + nw, bias + out};
    struct bench bench = {&s, b};
    struct bench_case table[4];
    const struct bench_case *got;
    char with_number[4][24];

    for (int k = 0; k < 4; k++) {
        snprintf(with_number[k], sizeof with_number[k], "%s%d", names[k],
                 layer);
        table[k] = {with_number[k], run_line, k};
        table[k].flops = (k < 2 ? 2.0 : 4.0) * b * in * out;
    }
    got = bench_run(table, 4, &bench);
    for (int k = 0; k < 4; k++)
        bench_ratio(&got[k], &got[k | 1], "of_cublas", 100, "%");
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
    bench_library("cuBLAS", matmul_library_version(cublas));
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

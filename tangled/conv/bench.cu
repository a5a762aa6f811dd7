/* bench: the trainer's two convolutions, forward and backward, by every kernel
   of this chapter, beside cuBLAS on the stored columns. */
#include "conv/forward.cuh"
#include "kernels/fill.cuh"
#include "matmul/library.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* hold the arrays of a layer */
static cublasHandle_t cublas;

static struct layer {
    struct conv v;
    size_t nx, nw, ny;
    int places, terms;
    float *x, *y, *dx, *dy; /* one set after the other */
    float *w, *dw, *work, *cols, *product;
} l;

static int layer_make(struct conv v, uint64_t seed)
{
    size_t nx = conv_x(&v), nw = conv_w(&v), ny = conv_y(&v);
    int sets = bench_sets(4 * (nx < ny ? nx : ny));
    int places = v.n * conv_out_h(&v) * conv_out_w(&v), terms = v.c * v.r * v.s;

    l = {v, nx, nw, ny, places, terms};
    l.x = random_floats(sets * nx, seed), l.dx = random_floats(sets * nx, seed);
    l.y = random_floats(sets * ny, seed);
    l.dy = random_floats(sets * ny, seed + 1);
    l.w = random_floats(nw, seed + 2), l.dw = random_floats(nw, seed);
    l.work = random_floats(conv_filter_gradient_bytes(&v) / 4, seed);
    l.cols = random_floats(conv_im2col_bytes(&v) / 4, seed);
    l.product = l.cols + (size_t)terms * places;
    return sets;
}

static void layer_free(void)
{
    float *all[] = {l.x, l.y, l.dx, l.dy, l.w, l.dw, l.work, l.cols};

    for (int i = 0; i < 8; i++)
        CUDA_CHECK(cudaFree(all[i]));
}

/* run one way on a set */
enum {
    COLUMNS = FORWARD_KERNELS,
    Y_CUBLAS,
    DX_DIRECT,
    DX,
    DX_CUBLAS,
    DW_DIRECT,
    DW,
    DW_ATOMIC,
    DW_CUBLAS,
    WAYS
};

static void run_cublas(int how, float *dy)
{
    int k = l.v.k, places = l.places, terms = l.terms;
    cudaStream_t stream = cudaStreamPerThread;

    if (how == Y_CUBLAS)
        matmul_library(cublas, 'N', 'N', k, places, terms, 1, l.w, terms,
                       l.cols, places, 0, l.product, places, stream);
    else if (how == DX_CUBLAS)
        matmul_library(cublas, 'T', 'N', terms, places, k, 1, l.w, terms, dy,
                       places, 0, l.cols, places, stream);
    else
        matmul_library(cublas, 'N', 'T', k, terms, places, 1, dy, places,
                       l.cols, places, 0, l.dw, terms, stream);
}

static void run_way(void *, int how, int set)
{
    float *x = l.x + set * l.nx, *y = l.y + set * l.ny;
    float *dx = l.dx + set * l.nx, *dy = l.dy + set * l.ny;
    struct filter_plan f =
        how == DW_DIRECT ? filter_plan_direct(&l.v) : filter_plan(&l.v);

    if (how < FORWARD_KERNELS) {
        launch_forward(how, &l.v, x, l.w, y, l.cols);
    } else if (how == COLUMNS) {
        write_columns<<<1056, 256>>>(gather_forward(&l.v), x, l.cols);
    } else if (how == DX_DIRECT) {
        launch_direct(gather_input_gradient(&l.v), dy, l.w, dx, 0);
    } else if (how == DX) {
        launch_conv_input_gradient(&l.v, dy, l.w, dx, 0);
    } else if (how == DW_DIRECT || how == DW) {
        launch_filter<0>(&l.v, f, x, dy, l.work, 0);
        launch_filter_add(&l.v, f, l.work, l.dw, 0);
    } else if (how == DW_ATOMIC) {
        CUDA_CHECK(cudaMemsetAsync(l.dw, 0, l.nw * sizeof(float), 0));
        launch_filter<1>(&l.v, f, x, dy, l.dw, 0);
    } else {
        run_cublas(how, dy);
    }
}

/* check a layer on whole numbers */
/* Runs a way and compares the n floats at d_got with `want`, or, if it is the
   first of its kind, puts them there. */
static void check_way(int how, int first, float *d_got, size_t n, float *want)
{
    float *got = first ? want : (float *)check_alloc(n, sizeof *got);

    CUDA_CHECK(cudaMemset(d_got, 0xff, n * sizeof *got));
    run_way(NULL, how, 0);
    if (how == Y_CUBLAS)
        order_images<<<1056, 256>>>(l.v.n, l.v.k, l.places / l.v.n, l.product,
                                    l.y);
    CUDA_CHECK(cudaMemcpy(got, d_got, n * sizeof *got, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(got[i] == want[i], "way %d: element %zu is %g, not %g", how, i,
              got[i], want[i]);
    if (!first)
        free(got);
}

/* The sum of a[i] b[i], for b the small numbers of a seed. */
static double dot(const float *a, uint64_t seed, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * small_at(seed, i);
    return sum;
}

static void check_layer(uint64_t seed)
{
    float *y = (float *)check_alloc(l.ny, sizeof *y);
    float *dx = (float *)check_alloc(l.nx, sizeof *dx);
    float *dw = (float *)check_alloc(l.nw, sizeof *dw);

    small_fill(l.nx, l.x, seed);
    small_fill(l.ny, l.dy, seed + 1);
    small_fill(l.nw, l.w, seed + 2);
    for (int k = 0; k <= Y_CUBLAS; k++)
        if (k != COLUMNS)
            check_way(k, k == 0, l.y, l.ny, y);
    for (int k = DX_DIRECT; k < DX_CUBLAS; k++)
        check_way(k, k == DX_DIRECT, l.dx, l.nx, dx);
    for (int k = DW_DIRECT; k < DW_CUBLAS; k++)
        check_way(k, k == DW_DIRECT, l.dw, l.nw, dw);
    CHECK(dot(y, seed + 1, l.ny) == dot(dx, seed, l.nx), "<dy, y>, <dx, x>");
    CHECK(dot(y, seed + 1, l.ny) == dot(dw, seed + 2, l.nw),
          "<dy, y>, <dw, w>");
    random_fill(l.nx, l.x, seed);
    random_fill(l.ny, l.dy, seed + 1);
    random_fill(l.nw, l.w, seed + 2);
    free(y), free(dx), free(dw);
}

/* measure a layer */
static void bench_layer(const char *layer, struct conv v, int small,
                        uint64_t seed)
{
    static const char *const own[] = {"columns", "cublas",    "dx_direct",
                                      "dx",      "dx_cublas", "dw_direct",
                                      "dw",      "dw_atomic", "dw_cublas"};
    struct bench b = {NULL, v.n};
    struct bench_case table[WAYS];
    const struct bench_case *got;
    char names[WAYS][40];

    b.sets = layer_make(v, seed);
    b.bytes = 4.0 * (l.nx + l.nw + l.ny);
    b.flops = 2.0 * l.ny * l.terms;
    for (int k = 0; k < WAYS; k++) {
        int i = k - FORWARD_KERNELS;

        snprintf(names[k], sizeof names[k], "%s_%s", layer,
                 i < 0 ? forward_names[k] : own[i]);
        table[k] = {names[k], run_way, k};
        table[k].rounds = small;
    }
    check_layer(seed);
    got = bench_run(table, WAYS, &b);
    for (int k = 0; k < WAYS; k++)
        bench_ratio(&got[k],
                    &got[k <= Y_CUBLAS    ? Y_CUBLAS
                         : k <= DX_CUBLAS ? DX_CUBLAS
                                          : DW_CUBLAS],
                    "of_cublas", 100, "%");
    layer_free();
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small")};
    uint64_t seed = args_parse(argc, argv, "the trainer's convolutions", args,
                               ARG_COUNT(args));
    int small = (int)args[0].value;

    CUBLAS_CHECK(cublasCreate(&cublas));
    bench_begin("conv");
    bench_library("cuBLAS", matmul_library_version(cublas));
    for (int n = small ? 2 : 64; n <= (small ? 2 : 1024); n *= 4) {
        bench_layer("first", {n, 1, 28, 28, 32, 3, 3, 1, 1, 1}, small, seed);
        bench_layer("second", {n, 32, 14, 14, 64, 3, 3, 1, 1, 1}, small, seed);
    }
    CUBLAS_CHECK(cublasDestroy(cublas));
    return 0;
}

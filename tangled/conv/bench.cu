/* bench: the trainer's two convolutions, forward and backward, by every kernel
   of this chapter, beside cuBLAS on the stored columns. */
#include "conv/forward.cuh"
#include "matmul/library.cuh"
#include "measure/bench.h"
#include "tour/args.h"
#include "tour/rng.h"

/* hold the arrays of a layer */
static struct layer {
    struct conv v;
    size_t nx, nw, ny;
    int pixels, terms;
    float *x, *y, *dx, *dy; /* a set after the other */
    float *w, *dw, *work, *cols, *product;
} layer;

static void layer_make(struct conv v, int sets)
{
    struct layer l = {v, conv_x(&v), conv_w(&v), conv_y(&v),
                      v.n * conv_out_h(&v) * conv_out_w(&v), v.c * v.r * v.s,
                      0, 0, 0, 0, 0, 0, 0, 0, 0};

    CUDA_CHECK(cudaMalloc((void **)&l.x, sets * l.nx * sizeof *l.x));
    CUDA_CHECK(cudaMalloc((void **)&l.dx, sets * l.nx * sizeof *l.x));
    CUDA_CHECK(cudaMalloc((void **)&l.y, sets * l.ny * sizeof *l.x));
    CUDA_CHECK(cudaMalloc((void **)&l.dy, sets * l.ny * sizeof *l.x));
    CUDA_CHECK(cudaMalloc((void **)&l.w, l.nw * sizeof *l.x));
    CUDA_CHECK(cudaMalloc((void **)&l.dw, l.nw * sizeof *l.x));
    CUDA_CHECK(cudaMalloc((void **)&l.work, conv_filter_gradient_bytes(&v)));
    CUDA_CHECK(cudaMalloc((void **)&l.cols, conv_im2col_bytes(&v)));
    l.product = l.cols + (size_t)l.terms * l.pixels;
    layer = l;
}
static void layer_free(void)
{
    CUDA_CHECK(cudaFree(layer.x));
    CUDA_CHECK(cudaFree(layer.dx));
    CUDA_CHECK(cudaFree(layer.y));
    CUDA_CHECK(cudaFree(layer.dy));
    CUDA_CHECK(cudaFree(layer.w));
    CUDA_CHECK(cudaFree(layer.dw));
    CUDA_CHECK(cudaFree(layer.work));
    CUDA_CHECK(cudaFree(layer.cols));
}

/* Floats in [-1/2, 1/2), or integers from -4 to 4. */
__global__ void fill(size_t n, float *x, uint64_t seed, int whole)
{
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += step) {
        float u = rng_to_float(rng_at(seed, i));

        x[i] = whole ? floorf(9 * u) - 4 : u - 0.5f;
    }
}

/* run what is measured */
static void run_forward(void *work, int set)
{
    const struct forward_kernel *f = (const struct forward_kernel *)work;

    f->launch(&layer.v, layer.x + set * layer.nx, layer.w,
              layer.y + set * layer.ny, layer.cols);
}

static void run_columns(void *work, int set)
{
    (void)work;
    write_columns<<<1056, 256>>>(gather_forward(&layer.v),
                                 layer.x + set * layer.nx, layer.cols);
}

static void run_dx_direct(void *work, int set)
{
    (void)work;
    launch_direct(gather_input_gradient(&layer.v), layer.dy + set * layer.ny,
                  layer.w, layer.dx + set * layer.nx, 0);
}

static void run_dx(void *work, int set)
{
    (void)work;
    launch_conv_input_gradient(&layer.v, layer.dy + set * layer.ny, layer.w,
                               layer.dx + set * layer.nx, 0);
}
static void run_dw(void *work, int set)
{
    (void)work;
    launch_conv_filter_gradient(&layer.v, layer.x + set * layer.nx,
                                layer.dy + set * layer.ny, layer.dw, layer.work,
                                0);
}

static void run_dw_direct(void *work, int set)
{
    struct filter_plan f = filter_plan_direct(&layer.v);

    (void)work;
    launch_filter<0>(&layer.v, f, layer.x + set * layer.nx,
                     layer.dy + set * layer.ny, layer.work, 0);
    launch_filter_add(&layer.v, f, layer.work, layer.dw, 0);
}

/* What this book does not do: the order of the additions is left to chance. */
static void run_dw_atomic(void *work, int set)
{
    (void)work;
    CUDA_CHECK(cudaMemsetAsync(layer.dw, 0, layer.nw * sizeof(float), 0));
    launch_filter<1>(&layer.v, filter_plan(&layer.v), layer.x + set * layer.nx,
                     layer.dy + set * layer.ny, layer.dw, 0);
}

/* multiply by cuBLAS */
static cublasHandle_t cublas;

static void multiply(char ta, char tb, int m, int n, int k, const float *a,
                     int lda, const float *b, int ldb, float *c)
{
    matmul_library(cublas, ta, tb, m, n, k, 1, a, lda, b, ldb, 0, c, n, 0);
}
/* The products alone, on matrices that lie ready: dy is taken as if it were
   stored filter by filter. */
static void run_y_cublas(void *work, int set)
{
    (void)work, (void)set;
    multiply('N', 'N', layer.v.k, layer.pixels, layer.terms, layer.w,
             layer.terms, layer.cols, layer.pixels, layer.product);
}

static void run_dx_cublas(void *work, int set)
{
    (void)work;
    multiply('T', 'N', layer.terms, layer.pixels, layer.v.k, layer.w,
             layer.terms, layer.dy + set * layer.ny, layer.pixels, layer.cols);
}

static void run_dw_cublas(void *work, int set)
{
    (void)work;
    multiply('N', 'T', layer.v.k, layer.terms, layer.pixels,
             layer.dy + set * layer.ny, layer.pixels, layer.cols, layer.pixels,
             layer.dw);
}

/* name what is measured */
enum { Y_CASES = FORWARD_KERNELS + 2, DX_CASES = 3, DW_CASES = 4 };
enum { CASES = Y_CASES + DX_CASES + DW_CASES };

static struct bench_case cases[CASES];
static char names[CASES][40];

static void add_case(int *count, const char *layer_name, const char *name,
                     void (*launch)(void *, int), const void *work)
{
    struct bench_case *c = &cases[*count];

    snprintf(names[*count], sizeof names[0], "%s_%s", layer_name, name);
    memset(c, 0, sizeof *c);
    c->variant = names[*count];
    c->launch = launch;
    c->work = (void *)work;
    ++*count;
}
static void add_cases(const char *l)
{
    int count = 0;

    for (int k = 0; k < FORWARD_KERNELS; k++)
        add_case(&count, l, forward_kernels[k].name, run_forward,
                 &forward_kernels[k]);
    add_case(&count, l, "columns", run_columns, NULL);
    add_case(&count, l, "cublas", run_y_cublas, NULL);
    add_case(&count, l, "dx_direct", run_dx_direct, NULL);
    add_case(&count, l, "dx", run_dx, NULL);
    add_case(&count, l, "dx_cublas", run_dx_cublas, NULL);
    add_case(&count, l, "dw_direct", run_dw_direct, NULL);
    add_case(&count, l, "dw", run_dw, NULL);
    add_case(&count, l, "dw_atomic", run_dw_atomic, NULL);
    add_case(&count, l, "dw_cublas", run_dw_cublas, NULL);
}

/* check a layer on whole numbers */
/* Runs case k and compares `n` floats with `want`; keeps them there if it is
   the first of its kind. Sums of whole numbers are exact in any order. */
static void check_case(int k, int first, float *d_got, size_t n, float *want)
{
    float *got = first ? want : (float *)check_alloc(n, sizeof *got);

    CUDA_CHECK(cudaMemset(d_got, 0xff, n * sizeof *got));
    cases[k].launch(cases[k].work, 0);
    if (k == Y_CASES - 1)
        order_images<<<1056, 256>>>(layer.v.n, layer.v.k,
                                    layer.pixels / layer.v.n, layer.product,
                                    layer.y);
    CUDA_CHECK(cudaMemcpy(got, d_got, n * sizeof *got, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(got[i] == want[i], "%s: element %zu is %g, not %g",
              cases[k].variant, i, got[i], want[i]);
    if (!first)
        free(got);
}
static double dot(const float *a, const float *d_b, size_t n)
{
    float *b = (float *)check_alloc(n, sizeof *b);
    double sum = 0;

    CUDA_CHECK(cudaMemcpy(b, d_b, n * sizeof *b, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    free(b);
    return sum;
}
static void check_layer(void)
{
    struct layer *l = &layer;
    float *y = (float *)check_alloc(l->ny, sizeof *y);
    float *dx = (float *)check_alloc(l->nx, sizeof *dx);
    float *dw = (float *)check_alloc(l->nw, sizeof *dw);
    double a, b, c;

    for (int k = 0; k < Y_CASES; k++)
        if (k != Y_CASES - 2)
            check_case(k, k == 0, l->y, l->ny, y);
    for (int k = Y_CASES; k < Y_CASES + 2; k++)
        check_case(k, k == Y_CASES, l->dx, l->nx, dx);
    for (int k = Y_CASES + DX_CASES; k < CASES - 1; k++)
        check_case(k, k == Y_CASES + DX_CASES, l->dw, l->nw, dw);
    a = dot(y, l->dy, l->ny);
    b = dot(dx, l->x, l->nx);
    c = dot(dw, l->w, l->nw);
    CHECK(a == b && a == c, "<dy, y> = %g, <dx, x> = %g, <dw, w> = %g", a, b,
          c);
    free(y), free(dx), free(dw);
}

/* measure a layer */
static void bench_layer(const char *name, struct conv v, int small,
                        uint64_t seed)
{
    double bytes = 4.0 * (conv_x(&v) + conv_w(&v) + conv_y(&v));
    double flops = 2.0 * conv_y(&v) * v.c * v.r * v.s;
    int sets = bench_sets((size_t)bytes), at = Y_CASES;

    layer_make(v, sets);
    add_cases(name);
    for (int whole = 1; whole >= 0; whole--) {
        fill<<<1056, 256>>>(sets * layer.nx, layer.x, seed, whole);
        fill<<<1056, 256>>>(sets * layer.ny, layer.dy, seed + 1, whole);
        fill<<<1056, 256>>>(layer.nw, layer.w, seed + 2, whole);
        if (whole)
            check_layer();
    }
    for (int k = 0; k < CASES; k++)
        cases[k].rounds = small ? 1 : 0;
    bench_measure(cases, CASES, sets);
    bench_report(cases, at, v.n, bytes, &cases[at - 1], "of_cublas");
    bench_report(cases + at, DX_CASES, v.n, bytes, &cases[at + 2], "of_cublas");
    at += DX_CASES;
    bench_report(cases + at, DW_CASES, v.n, bytes, &cases[CASES - 1],
                 "of_cublas");
    bench_flops(cases, CASES, v.n, flops);
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
    for (int n = small ? 2 : 64; n <= (small ? 2 : 1024); n *= 4) {
        struct conv first = {n, 1, 28, 28, 32, 3, 3, 1, 1, 1};
        struct conv second = {n, 32, 14, 14, 64, 3, 3, 1, 1, 1};

        bench_layer("first", first, small, seed);
        bench_layer("second", second, small, seed);
    }
    CUBLAS_CHECK(cublasDestroy(cublas));
    return 0;
}

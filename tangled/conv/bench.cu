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
    int places, terms;
    float *x, *y, *dx, *dy; /* one set after the other */
    float *w, *dw, *work, *cols, *product;
} layer;

/* The next `count` floats of one large allocation. */
static float *floats(float **rest, size_t count)
{
    float *start = *rest;

    *rest += (count + 63) / 64 * 64;
    return start;
}
static float *layer_make(struct conv v, size_t sets)
{
    struct layer l = {v, conv_x(&v), conv_w(&v), conv_y(&v)};
    size_t work = conv_filter_gradient_bytes(&v) / sizeof(float);
    size_t cols = conv_im2col_bytes(&v) / sizeof(float);
    size_t all = 2 * sets * (l.nx + l.ny) + 2 * l.nw + work + cols + 8 * 64;
    float *memory, *rest;

    CUDA_CHECK(cudaMalloc((void **)&memory, all * sizeof *memory));
    rest = memory;
    l.places = v.n * conv_out_h(&v) * conv_out_w(&v), l.terms = v.c * v.r * v.s;
    l.x = floats(&rest, sets * l.nx), l.dx = floats(&rest, sets * l.nx);
    l.y = floats(&rest, sets * l.ny), l.dy = floats(&rest, sets * l.ny);
    l.w = floats(&rest, l.nw), l.dw = floats(&rest, l.nw);
    l.work = floats(&rest, work), l.cols = floats(&rest, cols);
    l.product = l.cols + (size_t)l.terms * l.places;
    layer = l;
    return memory;
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
    const int *kernel = (const int *)work;

    launch_forward(*kernel, &layer.v, layer.x + set * layer.nx, layer.w,
                   layer.y + set * layer.ny, layer.cols);
}

static void run_columns(void *, int set)
{
    write_columns<<<1056, 256>>>(gather_forward(&layer.v),
                                 layer.x + set * layer.nx, layer.cols);
}

static void run_dx_direct(void *, int set)
{
    launch_direct(gather_input_gradient(&layer.v), layer.dy + set * layer.ny,
                  layer.w, layer.dx + set * layer.nx, 0);
}

static void run_dx(void *, int set)
{
    launch_conv_input_gradient(&layer.v, layer.dy + set * layer.ny, layer.w,
                               layer.dx + set * layer.nx, 0);
}
static void run_dw(void *work, int set)
{
    int direct = work != NULL;
    struct filter_plan f =
        direct ? filter_plan_direct(&layer.v) : filter_plan(&layer.v);

    launch_filter<0>(&layer.v, f, layer.x + set * layer.nx,
                     layer.dy + set * layer.ny, layer.work, 0);
    launch_filter_add(&layer.v, f, layer.work, layer.dw, 0);
}

static void run_dw_atomic(void *, int set)
{
    CUDA_CHECK(cudaMemsetAsync(layer.dw, 0, layer.nw * sizeof(float), 0));
    launch_filter<1>(&layer.v, filter_plan(&layer.v), layer.x + set * layer.nx,
                     layer.dy + set * layer.ny, layer.dw, 0);
}

/* multiply by cuBLAS */
static cublasHandle_t cublas;

static void run_y_cublas(void *, int)
{
    matmul_library(cublas, 'N', 'N', layer.v.k, layer.places, layer.terms, 1,
                   layer.w, layer.terms, layer.cols, layer.places, 0,
                   layer.product, layer.places, 0);
}

static void run_dx_cublas(void *, int set)
{
    matmul_library(cublas, 'T', 'N', layer.terms, layer.places, layer.v.k, 1,
                   layer.w, layer.terms, layer.dy + set * layer.ny,
                   layer.places, 0, layer.cols, layer.places, 0);
}

static void run_dw_cublas(void *, int set)
{
    matmul_library(cublas, 'N', 'T', layer.v.k, layer.terms, layer.places, 1,
                   layer.dy + set * layer.ny, layer.places, layer.cols,
                   layer.places, 0, layer.dw, layer.terms, 0);
}

/* list what is measured */
enum { COLUMNS = FORWARD_KERNELS, CUBLAS_Y, DX, CUBLAS_DX = DX + 2 };
enum { DW = CUBLAS_DX + 1, CUBLAS_DW = DW + 3, CASES };

static struct bench_case cases[CASES];
static char names[CASES][40];

static void list_cases(const char *layer_name, int rounds)
{
    static const char *own[] = {"columns", "cublas",    "dx_direct",
                                "dx",      "dx_cublas", "dw_direct",
                                "dw",      "dw_atomic", "dw_cublas"};
    static const int kernel[] = {0, 1, 2, 3, 4}; /* FORWARD_DIRECT and so on */
    static void (*const run[])(void *, int) = {
        run_columns, run_y_cublas, run_dx_direct, run_dx,       run_dx_cublas,
        run_dw,      run_dw,       run_dw_atomic, run_dw_cublas};

    for (int k = 0; k < CASES; k++) {
        int i = k - FORWARD_KERNELS;
        struct bench_case c = {names[k], i < 0 ? run_forward : run[i]};

        snprintf(names[k], sizeof names[k], "%s_%s", layer_name,
                 i < 0 ? forward_names[k] : own[i]);
        if (i < 0 || k == DW) /* DW: any pointer, for the direct kernel */
            c.work = (void *)&kernel[i < 0 ? k : 0];
        c.rounds = rounds;
        cases[k] = c;
    }
}

/* check a layer on whole numbers */
/* Runs case k and compares its n floats with `want`, or, if it is the first of
   its kind, puts them there. Sums of whole numbers are exact in any order. */
static void check_case(int k, int first, float *d_got, size_t n, float *want)
{
    float *got = first ? want : (float *)check_alloc(n, sizeof *got);

    CUDA_CHECK(cudaMemset(d_got, 0xff, n * sizeof *got));
    cases[k].launch(cases[k].work, 0);
    if (k == CUBLAS_Y)
        order_images<<<1056, 256>>>(layer.v.n, layer.v.k,
                                    layer.places / layer.v.n, layer.product,
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

    for (int k = 0; k <= CUBLAS_Y; k++)
        if (k != COLUMNS)
            check_case(k, k == 0, l->y, l->ny, y);
    for (int k = DX; k < CUBLAS_DX; k++)
        check_case(k, k == DX, l->dx, l->nx, dx);
    for (int k = DW; k < CUBLAS_DW; k++)
        check_case(k, k == DW, l->dw, l->nw, dw);
    CHECK(dot(y, l->dy, l->ny) == dot(dx, l->x, l->nx), "<dy, y>, <dx, x>");
    CHECK(dot(y, l->dy, l->ny) == dot(dw, l->w, l->nw), "<dy, y>, <dw, w>");
    free(y), free(dx), free(dw);
}

/* measure a layer */
static void bench_layer(const char *name, struct conv v, int small,
                        uint64_t seed)
{
    double bytes = 4.0 * (conv_x(&v) + conv_w(&v) + conv_y(&v));
    double flops = 2.0 * conv_y(&v) * v.c * v.r * v.s;
    int sets = bench_sets((size_t)bytes);
    float *memory = layer_make(v, (size_t)sets);

    list_cases(name, small);
    for (int whole = 1; whole >= 0; whole--) {
        fill<<<1056, 256>>>(sets * layer.nx, layer.x, seed, whole);
        fill<<<1056, 256>>>(sets * layer.ny, layer.dy, seed + 1, whole);
        fill<<<1056, 256>>>(layer.nw, layer.w, seed + 2, whole);
        if (whole)
            check_layer();
    }
    bench_measure(cases, CASES, sets);
    bench_report(cases, DX, v.n, bytes, &cases[CUBLAS_Y], "of_cublas");
    bench_report(cases + DX, 3, v.n, bytes, &cases[CUBLAS_DX], "of_cublas");
    bench_report(cases + DW, 4, v.n, bytes, &cases[CUBLAS_DW], "of_cublas");
    bench_flops(cases, CASES, v.n, flops);
    CUDA_CHECK(cudaFree(memory));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small")};
    uint64_t seed = args_parse(argc, argv, "the trainer's convolutions", args,
                               ARG_COUNT(args));
    int small = (int)args[0].value;

    CUBLAS_CHECK(cublasCreate(&cublas));
    bench_begin("conv");
    /* measure both layers at each size of batch */
    for (int n = small ? 2 : 64; n <= (small ? 2 : 1024); n *= 4) {
        struct conv first = {n, 1, 28, 28, 32, 3, 3, 1, 1, 1};
        struct conv second = {n, 32, 14, 14, 64, 3, 3, 1, 1, 1};

        bench_layer("first", first, small, seed);
        bench_layer("second", second, small, seed);
    }
    CUBLAS_CHECK(cublasDestroy(cublas));
    return 0;
}

/* types.cuh: error and speed of products by type of the factors. GPU alone. */
#ifndef TENSOR_TYPES_CUH
#define TENSOR_TYPES_CUH

#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "tensor/lt_any.cuh"
#include "tensor/measured.cuh"

/* list the types that are measured */
enum { TO_FLOAT, TO_BF16, TO_FP16, TO_E4M3, TO_PARTS };

static const struct {
    const char *name;
    int to;
    double u; /* unit roundoff of the factors */
    cudaDataType_t factors;
    cublasComputeType_t compute;
    char fast;
} types[] = {
    {"type_float", TO_FLOAT, 0, CUDA_R_32F, CUBLAS_COMPUTE_32F, 0},
    {"type_tf32", TO_FLOAT, 0x1p-11, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
    {"type_bf16", TO_BF16, 0x1p-8, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 0},
    {"type_fp16", TO_FP16, 0x1p-11, CUDA_R_16F, CUBLAS_COMPUTE_32F, 0},
    {"type_e4m3", TO_E4M3, 0x1p-4, CUDA_R_8F_E4M3, CUBLAS_COMPUTE_32F, 0},
    {"type_e4m3_fast", TO_E4M3, 0x1p-4, CUDA_R_8F_E4M3, CUBLAS_COMPUTE_32F, 1},
    {"type_three", TO_PARTS, 0x1p-16, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 0}};

enum { TYPES = sizeof types / sizeof *types };

/* round numbers to a type */
/* y[i] = x[i] rounded; TO_PARTS: and what is left of it to y[n + i]. */
__global__ void round_to(size_t n, const float *x, void *y, int to)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        bf16 b = __float2bfloat16(x[i]);

        switch (to) {
        case TO_FLOAT:
            ((float *)y)[i] = x[i];
            break;
        case TO_FP16:
            ((__half *)y)[i] = __float2half(x[i]);
            break;
        case TO_E4M3:
            ((__nv_fp8_e4m3 *)y)[i] = __nv_fp8_e4m3(x[i]);
            break;
        case TO_PARTS:
            ((bf16 *)y)[n + i] = __float2bfloat16(x[i] - __bfloat162float(b));
            [[fallthrough]];
        default:
            ((bf16 *)y)[i] = b;
        }
    }
}

/* Random numbers in [-1, 1), their doubles and absolute values, if wanted. */
__global__ void fill_types(size_t n, float *x, double *d, double *size,
                           uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        x[i] = 2 * rng_to_float(rng_at(seed, i)) - 1;
        if (d)
            d[i] = x[i], size[i] = fabs(d[i]);
    }
}

/* hold the factors of a type */
static struct {
    int n;
    float *a, *b, *c;  /* b: its transpose */
    char *to_a, *to_b; /* rounded */
    void *place;
    struct lt_call call[TYPES];
} typed;

/* C = A B by a type's factors, which have been rounded. */
static void run_type(void *, int how, int)
{
    size_t n2 = (size_t)typed.n * typed.n;
    const struct lt_call *p = &typed.call[how];
    const char *a = typed.to_a, *b = typed.to_b;

    if (types[how].to == TO_PARTS) { /* the small ones first */
        lt_call_run(p, a + 2 * n2, b, 0, typed.c, cudaStreamPerThread);
        lt_call_run(p, a, b + 2 * n2, 1, typed.c, cudaStreamPerThread);
    }
    lt_call_run(p, a, b, types[how].to == TO_PARTS, typed.c,
                cudaStreamPerThread);
}

static void round_both(void *, int how, int)
{
    size_t n2 = (size_t)typed.n * typed.n;

    round_to<<<1056, 256>>>(n2, typed.a, typed.to_a, types[how].to);
    CUDA_LAUNCH_CHECK();
    round_to<<<1056, 256>>>(n2, typed.b, typed.to_b, types[how].to);
    CUDA_LAUNCH_CHECK();
}

/* open and close the types */
static void types_open(int n, void *place)
{
    size_t n2 = (size_t)n * n;

    typed.n = n;
    typed.place = place;
    CUDA_CHECK(cudaMalloc((void **)&typed.a, 4 * n2));
    CUDA_CHECK(cudaMalloc((void **)&typed.b, 4 * n2));
    CUDA_CHECK(cudaMalloc((void **)&typed.c, 4 * n2));
    CUDA_CHECK(cudaMalloc((void **)&typed.to_a, 4 * n2));
    CUDA_CHECK(cudaMalloc((void **)&typed.to_b, 4 * n2));
    for (int t = 0; t < TYPES; t++) {
        struct lt_kind kind = {types[t].factors, CUDA_R_32F, types[t].compute,
                               types[t].fast, NULL};

        typed.call[t] = lt_make(&kind, 'T', n, n, n, place);
    }
}

static void types_close(void)
{
    for (int t = 0; t < TYPES; t++)
        lt_free(&typed.call[t]);
    CUDA_CHECK(cudaFree(typed.a));
    CUDA_CHECK(cudaFree(typed.b));
    CUDA_CHECK(cudaFree(typed.c));
    CUDA_CHECK(cudaFree(typed.to_a));
    CUDA_CHECK(cudaFree(typed.to_b));
}

/* measure the error of a type */
/* Doubles that cublasDgemm made of the transposes: n x n, on the host. */
static double *types_reference(int n, const double *a, const double *b)
{
    size_t bytes = sizeof(double) * n * n;
    double one = 1, zero = 0, *d, *h = (double *)check_alloc(1, bytes);

    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUBLAS_CHECK(cublasDgemm(ladder.blas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n,
                             &one, b, n, a, n, &zero, d, n));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    return h;
}

static void measure_errors(int n, void *place)
{
    size_t n2 = (size_t)n * n;
    float *got = (float *)check_alloc(n2, sizeof *got);
    double *d, *want, *size;

    types_open(n, place);
    CUDA_CHECK(cudaMalloc((void **)&d, 4 * n2 * sizeof *d));
    fill_types<<<1056, 256>>>(n2, typed.a, d, d + n2, 11);
    CUDA_LAUNCH_CHECK();
    fill_types<<<1056, 256>>>(n2, typed.b, d + 2 * n2, d + 3 * n2, 12);
    CUDA_LAUNCH_CHECK();
    want = types_reference(n, d, d + 2 * n2);
    size = types_reference(n, d + n2, d + 3 * n2);
    for (int t = 0; t < TYPES; t++) {
        double u = types[t].u, last = types[t].to == TO_PARTS ? u : u * u;
        double bound = 2 * u + last + n * 0x1p-24;
        double most = 0, mean = 0;

        round_both(NULL, t, 0);
        CUDA_CHECK(cudaMemset(typed.c, 0xff, 4 * n2));
        run_type(NULL, t, 0);
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaMemcpy(got, typed.c, 4 * n2, cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < n2; i++) {
            double e = fabs(got[i] - want[i]) / size[i];

            CHECK(e <= 2 * bound, "%s: element %zu is %g, not %g",
                  types[t].name, i, got[i], want[i]);
            most = e > most ? e : most;
            mean += e / (double)n2;
        }
        bench_row(types[t].name, n, "error", most, "of the absolute sum");
        bench_row(types[t].name, n, "mean_error", mean, "of the absolute sum");
        bench_row(types[t].name, n, "bound", bound, "of the absolute sum");
    }
    types_close();
    CUDA_CHECK(cudaFree(d));
    free(got);
    free(want);
    free(size);
}

/* measure the speed of the types */
static void measure_types(int n, void *place)
{
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[TYPES];
    const struct bench_case *got;
    size_t n2 = (size_t)n * n;

    types_open(n, place);
    fill_types<<<1056, 256>>>(n2, typed.a, NULL, NULL, 11);
    CUDA_LAUNCH_CHECK();
    fill_types<<<1056, 256>>>(n2, typed.b, NULL, NULL, 12);
    CUDA_LAUNCH_CHECK();
    for (int t = 0; t < TYPES; t++) {
        table[t] = {types[t].name, run_type, t};
        table[t].prepare = round_both;
        table[t].rounds = 15;
    }
    got = bench_run(table, TYPES, &b);
    for (int t = 0; t < TYPES; t++)
        bench_row(types[t].name, n, "tflops", b.flops / bench_us(&got[t]) / 1e6,
                  "TFLOP/s");
    types_close();
}

#endif

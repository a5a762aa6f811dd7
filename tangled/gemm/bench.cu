/* bench: the rungs and sgemm beside cuBLAS, square and of 60 shapes. */
#include <math.h>

#include "gemm/power.cuh"
#include "gemm/product.cuh"
#include "gemm/rungs.cuh"
#include "tour/args.h"

/* multiply by the library */
static inline void by_library(char ta, char tb, int m, int n, int k,
                              float alpha, const float *a, int lda,
                              const float *b, int ldb, float beta, float *c,
                              int ldc, cudaStream_t)
{
    cublasOperation_t op_a = ta == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
    cublasOperation_t op_b = tb == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;

    CUBLAS_CHECK(cublasSgemm(work.blas, op_b, op_a, n, m, k, &alpha, b, ldb, a,
                             lda, &beta, c, ldc));
}

/* list the rungs */
static void by_sgemm(char ta, char tb, int m, int n, int k, float alpha,
                     const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream)
{
    sgemm(&work.h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
          stream);
}

static const struct {
    const char *name;
    void (*run)(char ta, char tb, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta,
                float *c, int ldc, cudaStream_t stream);
} rungs[] = {{"library", by_library},   {"sgemm", by_sgemm},
             {"tiled", matmul_tiled},   {"column", gemm_column},
             {"square", gemm_square},   {"vectors", gemm_vectors},
             {"ahead", gemm_ahead},     {"warps", gemm_warps},
             {"wide", gemm_wide},       {"snake", gemm_snake},
             {"columns", gemm_columns}, {"pairs", gemm_pairs},
             {"bulk", gemm_bulk},       {"bulk_wide", gemm_bulk_wide}};

enum { RUNGS = sizeof rungs / sizeof *rungs };

/* run a rung */
static void run_rung(void *, int how, int set)
{
    const struct shape *s = &work.s;
    float *a = work.x + (work.a + work.b + work.c) * set, *b = a + work.a;

    rungs[how].run(s->ta, s->tb, s->m, s->n, s->k, 1, a, work.lda, b, work.ldb,
                   0, b + work.b, s->n, cudaStreamPerThread);
}

/* measure a square */
static void measure_square(int n)
{
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[RUNGS];
    const struct bench_case *got;

    shape_open({'N', 'N', n, n, n});
    for (int r = 0; r < RUNGS; r++) {
        table[r] = {rungs[r].name, run_rung, r};
        table[r].rounds = n > 4096 ? 9 : n > 2048 ? 15 : 0;
    }
    b.sets = work.sets;
    b.check = shape_check;
    b.peer[0] = {"library", "of_cublas"};
    got = bench_run(table, RUNGS, &b);
    for (int r = 0; r < RUNGS; r++)
        bench_row(rungs[r].name, n, "tflops", b.flops / bench_us(&got[r]) / 1e6,
                  "TFLOP/s");
    for (int r = 0; r < 2 && n >= 2048; r++)
        power_rows(&got[r], work.sets);
    CUDA_CHECK(cudaFree(work.x));
}

/* measure a shape */
/* Rows of shape number i; returns sgemm's speed as a share of cuBLAS's. */
static double measure_shape(int i, struct shape s)
{
    struct bench b = {NULL, i, 0, shape_flops(s)};
    struct bench_case table[2] = {{"shape_library", run_rung, 0},
                                  {"shape", run_rung, 1}};
    const struct bench_case *got;

    shape_open(s);
    b.sets = work.sets;
    b.check = shape_check;
    b.peer[0] = {"shape_library", "of_cublas"};
    got = bench_run(table, 2, &b);
    bench_row("shape", i, "m", s.m, "count");
    bench_row("shape", i, "n", s.n, "count");
    bench_row("shape", i, "k", s.k, "count");
    CUDA_CHECK(cudaFree(work.x));
    return stats_ratio(got[0].us, got[1].us, got[0].rounds).median;
}

/* measure the shapes */
/* Those of the file that take at most `most` operations. */
static void measure_shapes(const char *path, double most)
{
    struct shape s[SHAPES];
    int count = shapes_read(path, s), done = 0, below = 0;
    double logs = 0, least = 1e300;

    for (int i = 0; i < count; i++)
        if (shape_flops(s[i]) <= most) {
            double r = measure_shape(i + 1, s[i]);

            logs += log(r);
            least = r < least ? r : least;
            below += r < 0.7;
            done++;
        }
    CHECK(done > 0, "%s: no shape to measure", path);
    bench_row("sgemm_shapes", done, "of_cublas_geomean", 100 * exp(logs / done),
              "%");
    bench_row("sgemm_shapes", done, "of_cublas_least", 100 * least, "%");
    bench_row("sgemm_shapes", done, "below_70", below, "count");
}

int main(int argc, char **argv)
{
    static const int sizes[] = {128, 256, 512, 1024, 2048, 4096, 8192};
    struct arg args[] = {ARG_FLAG("--small"),
                         ARG_TEXT("--shapes", "tests/data/gemm/shapes.txt")};

    void *place = NULL;

    args_parse(argc, argv, "tuned products beside the library's", args,
               ARG_COUNT(args));
    work.h = sgemm_make();
    CUBLAS_CHECK(cublasCreate(&work.blas));
    /* give cuBLAS its place */
    CUDA_CHECK(cudaMalloc(&place, 64 << 20));
    CUBLAS_CHECK(cublasSetStream(work.blas, cudaStreamPerThread));
    CUBLAS_CHECK(cublasSetWorkspace(work.blas, place, 64 << 20));
    bench_begin("gemm");
    bench_library("cuBLAS", matmul_library_version(work.blas));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!args[0].value)
            measure_square(sizes[i]);
    if (args[0].value)
        measure_square(33), measure_square(130);
    measure_shapes(args[1].text, args[0].value ? 1e5 : 1e300);
    CUBLAS_CHECK(cublasDestroy(work.blas));
    CUDA_CHECK(cudaFree(place));
    sgemm_free(&work.h);
    return 0;
}

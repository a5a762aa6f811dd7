/* bench: square products. On a GPU, the kernels beside cuBLAS; on Loom,
   the CPU's loops beside OpenBLAS. */
#include <unistd.h>

#include "kernels/fill.cuh"
#include "matmul/library.cuh"
#include "matmul/loops.h"
#include "matmul/matmul.cuh"
#include "matmul/reference.h"
#include "measure/bench.h"
#include "tour/args.h"

/* list the ways to multiply */
struct way {
    const char *name;
    char ta, tb;
    void (*run)(char ta, char tb, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta,
                float *c, int ldc, cudaStream_t stream);
    void (*loops)(int n, const float *a, const float *b, float *c);
};

static cublasHandle_t blas;

static void by_library(char ta, char tb, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb,
                       float beta, float *c, int ldc, cudaStream_t stream)
{
    matmul_library(blas, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                   stream);
}

#ifdef __LOOM__
enum { LOOPS = 1 };

static void by_blocks(int n, const float *a, const float *b, float *c)
{
    matmul_blocked('N', 'N', n, n, n, 1, a, n, b, n, 0, c, n);
}

static const int sizes[] = {96, 192, 384, 768};
static const struct way ways[] = {{"library", 'N', 'N', by_library},
                                  {"jki", 'N', 'N', NULL, loops_jki},
                                  {"ijk", 'N', 'N', NULL, loops_ijk},
                                  {"ikj", 'N', 'N', NULL, loops_ikj},
                                  {"blocked", 'N', 'N', NULL, by_blocks}};
#else
enum { LOOPS = 0 };

static const int sizes[] = {128, 256, 512, 1023, 1024, 2048, 4096};
static const struct way ways[] = {{"library", 'N', 'N', by_library},
                                  {"naive", 'N', 'N', matmul_naive},
                                  {"coalesced", 'N', 'N', matmul_coalesced},
                                  {"coalesced_nt", 'N', 'T', matmul_coalesced},
                                  {"tiled", 'N', 'N', matmul_tiled},
                                  {"tiled_nt", 'N', 'T', matmul_tiled},
                                  {"tiled_tn", 'T', 'N', matmul_tiled}};
#endif

enum { WAYS = sizeof ways / sizeof *ways };

/* multiply the matrices of a set */
static struct matrices {
    int n;
    float *sets; /* a, b and c for each set */
} s;

static void run_way(void *, int how, int set)
{
    const struct way *w = &ways[how];
    size_t size = (size_t)s.n * s.n;
    float *a = s.sets + 3 * size * set, *b = a + size, *c = b + size;

    if (w->loops)
        w->loops(s.n, a, b, c);
    else
        w->run(w->ta, w->tb, s.n, s.n, s.n, 1, a, s.n, b, s.n, 0, c, s.n,
               cudaStreamPerThread);
}

/* apply a matrix to a vector */
/* y = op(A) x */
static void apply(char t, int n, const float *a, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++, a++)
            if (t == 'N')
                y[i] += *a * x[j];
            else
                y[j] += *a * x[i];
}

/* check a product by three vectors */
static void check_by_vectors(const struct way *w, int n, const float *a,
                             const float *b, const float *c)
{
    double *x = (double *)check_alloc(4 * (size_t)n, sizeof *x);
    double *bx = x + n, *abx = bx + n, *cx = abx + n;
    uint64_t seed = 6;

    for (int times = 0; times < 3; times++) {
        for (int i = 0; i < n; i++)
            x[i] = rng_small(&seed);
        apply(w->tb, n, b, x, bx);
        apply(w->ta, n, a, bx, abx);
        apply('N', n, c, x, cx);
        for (int i = 0; i < n; i++)
            CHECK(cx[i] == abx[i], "%s: row %d of %d is wrong", w->name, i, n);
    }
    free(x);
}

/* check a way in the same run */
static void check_way(const struct bench_case *c)
{
    size_t size = (size_t)s.n * s.n;
    float *h = (float *)check_alloc(3 * size, sizeof *h);

    small_fill(2 * size, s.sets, 5);
    CUDA_CHECK(cudaMemset(s.sets + 2 * size, LOOPS ? 0 : 0xff, 4 * size));
    run_way(NULL, c->how, 0);
    CUDA_CHECK(cudaMemcpy(h, s.sets, 12 * size, cudaMemcpyDeviceToHost));
    check_by_vectors(&ways[c->how], s.n, h, h + size, h + 2 * size);
    random_fill(2 * size, s.sets, 5);
    free(h);
}

/* measure a size */
static void measure(int n)
{
    size_t size = (size_t)n * n;
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[WAYS];
    const struct bench_case *got;

    for (int k = 0; k < WAYS; k++) {
        table[k] = {ways[k].name, run_way, k};
        table[k].rounds = n > 2000 || ways[k].loops ? 9 : 0;
    }
    b.sets = bench_sets(8 * size);
    b.check = check_way;
    b.peer[0] = {"library", "of_library"};
    s.n = n;
    if (LOOPS)
        CUDA_CHECK(cudaMallocManaged((void **)&s.sets, 12 * size * b.sets));
    else
        CUDA_CHECK(cudaMalloc((void **)&s.sets, 12 * size * b.sets));
    random_fill(3 * size * b.sets, s.sets, 5);
    got = bench_run(table, WAYS, &b);
    for (int k = 0; k < WAYS; k++)
        bench_row(ways[k].name, n, "tflops", b.flops / bench_us(&got[k]) / 1e6,
                  "TFLOP/s");
    CUDA_CHECK(cudaFree(s.sets));
}

/* let OpenBLAS use one thread */
static void use_one_thread(char **argv)
{
    const char *name = "OPENBLAS_NUM_THREADS";

    if (getenv(name))
        return;
    setenv(name, "1", 1);
    execv("/proc/self/exe", argv);
}

/* measure every size */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small")};

    args_parse(argc, argv, "products beside the library's", args,
               ARG_COUNT(args));
    use_one_thread(argv);
    CUBLAS_CHECK(cublasCreate(&blas));
    bench_begin("matmul");
    bench_library("cuBLAS", matmul_library_version(blas));
    if (args[0].value)
        measure(33), measure(66);
    else
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            measure(sizes[i]);
    CUBLAS_CHECK(cublasDestroy(blas));
    return 0;
}

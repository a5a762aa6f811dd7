/* bench: square products. On a GPU, the kernels beside cuBLAS; on Loom,
   the CPU's loops beside OpenBLAS. */
#include <string.h>
#include <unistd.h>

#include "matmul/library.cuh"
#include "matmul/loops.h"
#include "matmul/matmul.cuh"
#include "matmul/reference.h"
#include "measure/bench.h"
#include "tour/args.h"
#include "tour/rng.h"

/* hold what is measured */
struct variant {
    const char *name;
    char ta, tb;
    void (*run)(char ta, char tb, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta,
                float *c, int ldc, cudaStream_t stream);
    void (*loops)(int n, const float *a, const float *b, float *c);
};

struct work {
    const struct variant *variant;
    int n;
    float *h, *d; /* sets of a, b and c, on the host and on the device */
};

static cublasHandle_t blas;

/* multiply with the one handle */
static void by_library(char ta, char tb, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb,
                       float beta, float *c, int ldc, cudaStream_t stream)
{
    matmul_library(blas, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                   stream);
}

/* run what is measured */
static void run_variant(void *work, int set)
{
    const struct work *w = (const struct work *)work;
    const struct variant *v = w->variant;
    size_t size = (size_t)w->n * w->n;
    float *a = (v->loops ? w->h : w->d) + 3 * size * set, *b = a + size;
    int n = w->n;

    if (v->loops)
        v->loops(n, a, b, b + size);
    else
        v->run(v->ta, v->tb, n, n, n, 1, a, n, b, n, 0, b + size, n, 0);
}

/* list the variants */
#ifdef __LOOM__
static void by_blocks(int n, const float *a, const float *b, float *c)
{
    matmul_blocked('N', 'N', n, n, n, 1, a, n, b, n, 0, c, n);
}

enum { LEAST = 96, MOST = 768 };

static const struct variant variants[] = {
    {"library", 'N', 'N', by_library, NULL}, /* OpenBLAS */
    {"jki", 'N', 'N', NULL, loops_jki},
    {"ijk", 'N', 'N', NULL, loops_ijk},
    {"ikj", 'N', 'N', NULL, loops_ikj},
    {"blocked", 'N', 'N', NULL, by_blocks},
};
#else
enum { LEAST = 128, MOST = 4096 };

static const struct variant variants[] = {
    {"library", 'N', 'N', by_library, NULL}, /* cuBLAS */
    {"naive", 'N', 'N', matmul_naive, NULL},
    {"coalesced", 'N', 'N', matmul_coalesced, NULL},
    {"coalesced_nt", 'N', 'T', matmul_coalesced, NULL},
    {"tiled", 'N', 'N', matmul_tiled, NULL},
    {"tiled_nt", 'N', 'T', matmul_tiled, NULL},
    {"tiled_tn", 'T', 'N', matmul_tiled, NULL},
};
#endif

enum { VARIANTS = sizeof variants / sizeof *variants };

/* make sets of inputs */
/* Fills `sets` of w: between -1/2 and 1/2, or with small integers. */
static void fill(struct work *w, int sets, int small)
{
    size_t size = (size_t)w->n * w->n, count = 3 * size * sets;

    if (small)
        rng_fill_small(w->h, count, 5);
    else
        rng_fill_float(w->h, count, 5);
    for (size_t i = 0; i < count && !small; i++)
        w->h[i] -= 0.5f;
    CUDA_CHECK(cudaMemcpy(w->d, w->h, count * 4, cudaMemcpyHostToDevice));
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
static void check_by_vectors(const struct variant *v, int n, const float *a,
                             const float *b, const float *c)
{
    double *x = (double *)check_alloc(4 * (size_t)n, sizeof *x);
    double *bx = x + n, *abx = bx + n, *cx = abx + n;
    uint64_t seed = 6;

    for (int times = 0; times < 3; times++) {
        for (int i = 0; i < n; i++)
            x[i] = rng_small(&seed);
        apply(v->tb, n, b, x, bx);
        apply(v->ta, n, a, bx, abx);
        apply('N', n, c, x, cx);
        for (int i = 0; i < n; i++)
            CHECK(cx[i] == abx[i], "%s: row %d of %d is wrong", v->name, i, n);
    }
    free(x);
}

/* check what is measured */
static void check_variant(struct work *w)
{
    size_t size = (size_t)w->n * w->n;
    float *c = w->h + 2 * size;

    memset(c, 0, size * 4);
    CUDA_CHECK(cudaMemset(w->d + 2 * size, 0xff, size * 4));
    run_variant(w, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (!w->variant->loops)
        CUDA_CHECK(
            cudaMemcpy(c, w->d + 2 * size, size * 4, cudaMemcpyDeviceToHost));
    check_by_vectors(w->variant, w->n, w->h, w->h + size, c);
}

/* measure a size */
static void measure(int n)
{
    static struct bench_case cases[VARIANTS];
    size_t bytes = 3 * (size_t)n * n * sizeof(float);
    int sets = bench_sets(bytes);
    struct work work[VARIANTS], w = {NULL, n, NULL, NULL};

    w.h = (float *)check_alloc((size_t)sets, bytes);
    CUDA_CHECK(cudaMalloc((void **)&w.d, sets * bytes));
    fill(&w, 1, 1);
    memset(cases, 0, sizeof cases);
    for (int k = 0; k < VARIANTS; k++) {
        work[k] = w;
        work[k].variant = &variants[k];
        check_variant(&work[k]);
        cases[k].variant = variants[k].name;
        cases[k].launch = run_variant;
        cases[k].work = &work[k];
        cases[k].rounds = k > 0 && 2 * n > MOST ? 5 : 0;
    }
    fill(&w, sets, 0);
    bench_measure(cases, VARIANTS, sets);
    /* report a size */
    bench_report(cases, VARIANTS, n, 0, cases, "of_library");
    bench_flops(cases, VARIANTS, n, 2.0 * n * n * n);
    for (int k = 0; k < VARIANTS; k++) {
        struct stats s = stats_of(cases[k].us, cases[k].rounds);

        bench_row(cases[k].variant, n, "tflops", 2e-6 * n * n * n / s.median,
                  "TFLOP/s");
    }
    CUDA_CHECK(cudaFree(w.d));
    free(w.h);
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
    int small;

    args_parse(argc, argv, "products beside the library's", args,
               ARG_COUNT(args));
    small = args[0].value != 0;
    use_one_thread(argv);
    CUBLAS_CHECK(cublasCreate(&blas));
    bench_begin("matmul");
    for (int n = small ? 33 : LEAST; n <= (small ? 66 : MOST); n *= 2)
        measure(n);
    CUBLAS_CHECK(cublasDestroy(blas));
    return 0;
}

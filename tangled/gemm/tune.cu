/* tune: measure what sgemm_plan has to know about each kernel, print it as C,
   and try the plans on the shapes. */
#include "gemm/product.cuh"
#include "gemm/tries.cuh"
#include "tour/args.h"

static struct plan plan; /* what is being timed */

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

/* measure the candidates */
enum { LIBRARY = -2, OWN = -1 }; /* beside the numbers of candidates */

static void run_try(void *, int how, int set)
{
    const struct shape *s = &work.s;
    float *a = work.x + (work.a + work.b + work.c) * set, *b = a + work.a;
    float *c = b + work.b;
    cudaStream_t stream = cudaStreamPerThread;

    if (how == LIBRARY)
        by_library(s->ta, s->tb, s->m, s->n, s->k, 1, a, work.lda, b, work.ldb,
                   0, c, s->n, stream);
    else if (how == OWN)
        sgemm(&work.h, s->ta, s->tb, s->m, s->n, s->k, 1, a, work.lda, b,
              work.ldb, 0, c, s->n, stream);
    else if (!by_try(how, s->ta, s->tb, s->m, s->n, s->k, 1, a, work.lda, b,
                     work.ldb, 0, c, s->n, stream))
        matmul_tiled(s->ta, s->tb, s->m, s->n, s->k, 1, a, work.lda, b,
                     work.ldb, 0, c, s->n, stream);
}

static void measure_try(int n, int small, int large)
{
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[2 + TRIES] = {{"library", run_try, LIBRARY},
                                          {"sgemm", run_try, OWN}};
    int lines = 2;

    shape_open({'N', 'N', n, n, n});
    for (int t = 0; t < TRIES; t++)
        if (tries[t].small ? small : large)
            table[lines++] = {tries[t].name, run_try, t};
    for (int t = 0; t < lines; t++)
        table[t].rounds = n > 4096 ? 7 : n > 2048 ? 11 : 0;
    b.sets = work.sets;
    b.check = n <= 4096 ? shape_check : NULL;
    b.peer[0] = {"library", "of_cublas"};
    bench_run(table, lines, &b);
    CUDA_CHECK(cudaFree(work.x));
}

static void measure_tries(int tiny)
{
    void *place = NULL;

    CUBLAS_CHECK(cublasCreate(&work.blas));
    /* give cuBLAS its place */
    CUDA_CHECK(cudaMalloc(&place, 64 << 20));
    CUBLAS_CHECK(cublasSetStream(work.blas, cudaStreamPerThread));
    CUBLAS_CHECK(cublasSetWorkspace(work.blas, place, 64 << 20));
    bench_begin("gemm");
    bench_library("cuBLAS", matmul_library_version(work.blas));
    if (tiny)
        measure_try(68, 1, 1);
    for (int n = 512; n <= 8192 && !tiny; n *= 2)
        measure_try(n, n <= 1024, n >= 1024);
    CUBLAS_CHECK(cublasDestroy(work.blas));
    CUDA_CHECK(cudaFree(place));
}

/* run a plan */
static void run_plan(void *, int, int set)
{
    const struct shape *s = &work.s;
    float *a = work.x + (work.a + work.b + work.c) * set, *b = a + work.a;

    sgemm_by(&work.h, plan, s->ta, s->tb, s->m, s->n, s->k, 1, a, work.lda, b,
             work.ldb, 0, b + work.b, s->n, cudaStreamPerThread);
}

/* time a plan */
/* Microseconds of the plan on a shape whose matrices are there. */
static double time_plan(struct plan p)
{
    struct bench_case c = {"plan", run_plan};

    plan = p;
    c.rounds = shape_flops(work.s) > 2e10 ? 5 : 9;
    if (shape_flops(work.s) < 2e9)
        shape_check(&c);
    bench_measure(&c, 1, work.sets);
    return bench_us(&c);
}

/* The same on matrices of its own, for so many tiles of a kernel. */
static double time_tiles(int kernel, int tiles, int deep)
{
    const struct sgemm_kernel *t = &sgemm_kernels[kernel];
    double us;

    shape_open({'N', 'N', t->m, t->n * tiles, t->k * deep});
    us = time_plan({kernel, tiles, 1, 0});
    CUDA_CHECK(cudaFree(work.x));
    return us;
}

/* measure the rates of a kernel */
enum { ONCE = 7000 }; /* cycles of a launch on cold caches, for each product */

static struct rate rate_of(int kernel, int shallow, int deep, double mhz)
{
    int sms = work.h.sms, full = sms * sgemm_kernels[kernel].blocks;
    double few = time_tiles(kernel, sms, shallow);
    double more = time_tiles(kernel, sms, deep), alone, most;

    alone = (more - few) / (deep - shallow);
    most = full == sms ? alone
                       : (time_tiles(kernel, full, deep) -
                          time_tiles(kernel, full, shallow)) /
                             (deep - shallow);
    return {mhz * alone, mhz * most,
            larger(mhz * (few - shallow * alone) - ONCE, 0)};
}

/* compare the plan with all others */
static const char *plan_name(struct plan p)
{
    static char text[100];

    if (p.kernel < 0)
        snprintf(text, sizeof text, "%s in %d",
                 p.kernel == BY_FEW     ? "few"
                 : p.kernel == BY_SHORT ? "short sums"
                 : p.kernel == BY_DOTS  ? "dots"
                                        : "tiled",
                 p.parts);
    else
        snprintf(text, sizeof text, "%d x %d%s, %d whole, rest in %d",
                 sgemm_kernels[p.kernel].m, sgemm_kernels[p.kernel].n,
                 sgemm_kernels[p.kernel].bulk ? " in bulk" : "", p.whole,
                 p.parts);
    return text;
}

static void compare_plans(struct shape s, int few)
{
    struct plan chosen, best;
    double us, least;

    shape_open(s);
    chosen = best =
        sgemm_plan(&work.h, s.m, s.n, s.k, s.ta, s.tb, work.lda, work.ldb);
    us = least = time_plan(chosen);
    for (int i = 0; i < (few ? 2 : SGEMM_KERNELS); i++) {
        struct plan p = {BY_TILED, 0, 1, 1e300};
        double t;

        if (!sgemm_kernels[i].bulk || work.h.bulk)
            plan_kernel(&work.h, &p, i, s.m, s.n, s.k);
        t = p.kernel == BY_TILED ? 1e300 : time_plan(p);
        if (t < least)
            least = t, best = p;
    }
    printf("%d x %d x %d %c%c: %s, %.1f us", s.m, s.n, s.k, s.ta, s.tb,
           plan_name(chosen), us);
    printf("; best %s, %.1f us; loses %.0f%%\n", plan_name(best), least,
           100 * (us / least - 1));
    CUDA_CHECK(cudaFree(work.x));
}

/* print the plans of two cards */
static void print_plans(const struct shape *s, int count)
{
    for (int card = 0; card < 2; card++) {
        work.h.rates = &sgemm_rates[card];
        work.h.sms = card ? 40 : 132;
        work.h.most = card ? 101376 : 232448;
        work.h.bulk = !card;
        for (int i = 0; i < count; i++) {
            struct shape x = s[i];
            int lda = x.ta == 'N' ? x.k : x.m, ldb = x.tb == 'N' ? x.n : x.k;
            struct plan p =
                sgemm_plan(&work.h, x.m, x.n, x.k, x.ta, x.tb, lda, ldb);

            printf("%d x %d x %d %c%c: %s\n", x.m, x.n, x.k, x.ta, x.tb,
                   plan_name(p));
        }
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small"), ARG_FLAG("--tries"),
                         ARG_TEXT("--shapes", "tests/data/gemm/shapes.txt"),
                         ARG_FLAG("--plans")};
    struct shape s[SHAPES];
    struct sgemm_rates found = {};
    int count;

    args_parse(argc, argv, "what sgemm has to know", args, ARG_COUNT(args));
    work.h = sgemm_make();
    if (args[1].value) {
        measure_tries(args[0].value != 0);
        sgemm_free(&work.h);
        return 0;
    }
    count = shapes_read(args[2].text, s);
    if (args[3].value) {
        print_plans(s, count);
        sgemm_free(&work.h);
        return 0;
    }
    /* print the rates of this GPU */
    struct cudaDeviceProp prop;
    int mhz = bench_attribute(cudaDevAttrClockRate) / 1000;

    CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
    printf("    {\"%s\",\n     {", prop.name);
    for (int i = 0; i < SGEMM_KERNELS; i++) {
        found.of[i] = rate_of(i, args[0].value ? 1 : 20,
                              args[0].value ? 3 : 100, mhz > 0 ? mhz : 1000);
        printf("{%.0f, %.0f, %.0f}%s", found.of[i].alone, found.of[i].full,
               found.of[i].fixed,
               i + 1 < SGEMM_KERNELS ? ",\n      " : "}},\n");
    }
    work.h.rates = &found;
    for (int i = 0; i < count; i++)
        if (!args[0].value || shape_flops(s[i]) < 1e5)
            compare_plans(s[i], args[0].value != 0);
    sgemm_free(&work.h);
    return 0;
}

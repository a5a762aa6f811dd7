/* product.cuh: sets of products to be timed, and their verification. */
#ifndef GEMM_PRODUCT_CUH
#define GEMM_PRODUCT_CUH

#include "gemm/sgemm.cuh"
#include "kernels/fill.cuh"
#include "matmul/library.cuh"
#include "measure/bench.h"

/* describe a shape */
struct shape {
    char ta, tb;
    int m, n, k;
};

static inline double shape_flops(struct shape s)
{
    return 2.0 * s.m * s.n * s.k;
}

/* hold the matrices of a shape */
/* What is being timed: sets of A, B and C, each at a multiple of 256 bytes. */
static struct {
    struct shape s;
    size_t a, b, c; /* floats of each */
    int sets, lda, ldb;
    float *x;
    struct sgemm h;
    cublasHandle_t blas;
} work;

enum { MOST_SETS = 512 }; /* beyond these, operands are tiny and stay in L2 */

static inline size_t whole_lines(size_t floats)
{
    return ceil_div(floats, 64) * 64;
}

static inline void shape_open(struct shape s)
{
    size_t all;

    work.s = s;
    work.a = whole_lines((size_t)s.m * s.k);
    work.b = whole_lines((size_t)s.k * s.n);
    work.c = whole_lines((size_t)s.m * s.n);
    work.lda = s.ta == 'N' ? s.k : s.m;
    work.ldb = s.tb == 'N' ? s.n : s.k;
    all = work.a + work.b + work.c;
    work.sets = bench_sets(4 * (work.a + work.b));
    work.sets = work.sets < MOST_SETS ? work.sets : MOST_SETS;
    CUDA_CHECK(cudaMalloc((void **)&work.x, 4 * all * work.sets));
    random_fill(all * work.sets, work.x, 5);
}

/* check a shape by three vectors */
/* y = op(X) v; X is stored as rows x cols. */
static inline void apply(char t, int rows, int cols, const float *x,
                         const double *v, double *y)
{
    for (int i = 0; i < (t == 'N' ? rows : cols); i++)
        y[i] = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++, x++)
            if (t == 'N')
                y[i] += *x * v[j];
            else
                y[j] += *x * v[i];
}

static inline void check_by_vectors(const char *name, struct shape s,
                                    const float *a, const float *b,
                                    const float *c)
{
    double *v =
        (double *)check_alloc((size_t)s.n + s.k + 2 * (size_t)s.m, sizeof *v);
    double *bv = v + s.n, *abv = bv + s.k, *cv = abv + s.m;
    uint64_t seed = 6;

    for (int times = 0; times < 3; times++) {
        for (int j = 0; j < s.n; j++)
            v[j] = rng_small(&seed);
        apply(s.tb, s.tb == 'N' ? s.k : s.n, work.ldb, b, v, bv);
        apply(s.ta, s.ta == 'N' ? s.m : s.k, work.lda, a, bv, abv);
        apply('N', s.m, s.n, c, v, cv);
        for (int i = 0; i < s.m; i++)
            CHECK(cv[i] == abv[i], "%s: row %d of %d x %d x %d is wrong", name,
                  i, s.m, s.n, s.k);
    }
    free(v);
}

/* Runs `launch` on small integers in the first set, over a C of NaN, and
   verifies what it leaves there. */
static inline void shape_check(const struct bench_case *c)
{
    size_t all = work.a + work.b + work.c;
    float *h = (float *)check_alloc(all, sizeof *h);

    small_fill(work.a + work.b, work.x, 5);
    CUDA_CHECK(cudaMemset(work.x + work.a + work.b, 0xff, 4 * work.c));
    c->launch(c->work, c->how, 0);
    CUDA_CHECK(cudaMemcpy(h, work.x, 4 * all, cudaMemcpyDeviceToHost));
    check_by_vectors(c->variant, work.s, h, h + work.a, h + work.a + work.b);
    random_fill(all, work.x, 5);
    free(h);
}

/* read the shapes */
enum { SHAPES = 100 };

/* Lines "m n k ta tb" of a file; # begins a comment. Returns how many. */
static inline int shapes_read(const char *path, struct shape *to)
{
    FILE *f = fopen(path, "r");
    char line[200];
    int n = 0;

    CHECK(f != NULL, "%s: cannot be read; --shapes names a file of shapes",
          path);
    while (fgets(line, sizeof line, f)) {
        struct shape s = {'N', 'N', 0, 0, 0};

        if (*line == '#' || *line == '\n')
            continue;
        CHECK(n < SHAPES, "%s: more than %d shapes", path, SHAPES);
        CHECK(sscanf(line, "%d %d %d %c %c", &s.m, &s.n, &s.k, &s.ta, &s.tb) ==
                      5 &&
                  s.m > 0 && s.n > 0 && s.k > 0 &&
                  (s.ta == 'N' || s.ta == 'T') && (s.tb == 'N' || s.tb == 'T'),
              "%s: shape %d must be m n k and two of N, T: %s", path, n + 1,
              line);
        to[n++] = s;
    }
    fclose(f);
    return n;
}

#endif

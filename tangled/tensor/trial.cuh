/* trial.cuh: try ways to multiply matrices of bf16 beside the reference. */
#ifndef TENSOR_TRIAL_CUH
#define TENSOR_TRIAL_CUH

#include "matmul/trial.cuh"
#include "tensor/product.cuh"

/* name a way to multiply bf16 */
struct way16 {
    const char *name;
    void (*run)(char ta, char tb, int m, int n, int k, float alpha,
                const bf16 *a, int lda, const bf16 *b, int ldb, float beta,
                bf16 *c, int ldc, cudaStream_t stream);
    int needs_wgmma; /* and rows that begin at multiples of 16 bytes */
};

/* round a matrix to bf16 */
struct matrix16 {
    struct matrix x; /* the same as float; no array on the device */
    bf16 *h, *d;
    bf16 *room; /* as a matrix's */
};

static inline void matrix16_free(struct matrix16 *y)
{
    CUDA_CHECK(cudaFree(y->room));
    free(y->h);
    free(y->x.h);
}

/* As matrix_make; `gap` numbers between rows, or, if WHOLE, as many as make rows
   begin at multiples of 16 bytes. */
enum { WHOLE = -1 };

static inline struct matrix16 matrix16_make(char t, int rows, int cols, int gap,
                                            enum filling how, uint64_t seed)
{
    int stored = t == 'N' ? cols : rows;
    int wide = gap == WHOLE ? 7 - (stored + 7) % 8 : gap;
    struct matrix16 y = {matrix_make(t, rows, cols, wide, how, seed)};
    size_t count;

    CUDA_CHECK(cudaFree(y.x.room));
    if (gap == WHOLE && stored == 0) /* a matrix of nothing */
        y.x.ld = 8;
    count = y.x.count;
    y.h = (bf16 *)check_alloc(count, sizeof *y.h);
    for (size_t i = 0; i < count; i++) {
        y.h[i] = __float2bfloat16(y.x.h[i]);
        y.x.h[i] = __bfloat162float(y.h[i]);
    }
    CUDA_CHECK(cudaMalloc((void **)&y.room, (count + SHIFTS) * sizeof *y.room));
    y.d = y.room;
    CUDA_CHECK(
        cudaMemcpy(y.d, y.h, count * sizeof *y.d, cudaMemcpyHostToDevice));
    return y;
}

static inline void matrix16_shift(struct matrix16 *y, int shift)
{
    y->d = y->room + shift;
    CUDA_CHECK(cudaMemcpy(y->d, y->h, y->x.count * sizeof *y->d,
                          cudaMemcpyHostToDevice));
}

/* list the trials of bf16 */
static const struct trial trials16[] = {
    {1, 0, SMALL, NANS, WHOLE}, /* exact; C is not read */
    {1, 0, RANDOM, NANS, WHOLE},
    {-2, 1, SMALL, SMALL, WHOLE}, /* exact, added to C */
    {0.7f, -1.3f, RANDOM, RANDOM, WHOLE},
    {0.7f, -1.3f, RANDOM, RANDOM, 5, 3}, /* rows that begin anywhere */
    {0, 0.5f, NANS, RANDOM, WHOLE},      /* A and B are not read */
};

enum { TRIALS16 = sizeof trials16 / sizeof *trials16 };

/* say how far a rounded sum may be off */
static inline double may_be_off16(const struct trial *t, int k,
                                  const struct matrix *c, const double *abs_sum,
                                  size_t at, double want)
{
    double old = t->beta == 0 ? 0 : c->h[at];
    double sum = t->ab == SMALL ? 0
                                : bound_gemm(k, k, 2 * BOUND_FLOAT, t->alpha,
                                             t->beta, abs_sum[at], old);

    return sum + BOUND_BF16 * (fabs(want) + sum);
}

/* compare a product of bf16 */
static inline void compare16(const char *name, const struct trial *t, int k,
                             const struct matrix16 *c, const bf16 *got,
                             const double *want, const double *abs_sum)
{
    for (size_t at = 0; at < c->x.count; at++) {
        int i = (int)(at / c->x.ld), j = (int)(at % c->x.ld);
        int inside = i < c->x.rows && j < c->x.cols;
        float is = __bfloat162float(got[at]);

        CHECK(inside || memcmp(&got[at], &c->h[at], sizeof *got) == 0,
              "%s: wrote %g outside of C, at (%d, %d)", name, is, i, j);
        CHECK(!inside || fabs(is - want[at]) <=
                             may_be_off16(t, k, &c->x, abs_sum, at, want[at]),
              "%s: element (%d, %d) of %d x %d, k %d, is %.9g, not %.9g", name,
              i, j, c->x.rows, c->x.cols, k, is, want[at]);
        CHECK(!inside || t->ab != SMALL || fabs(want[at]) > 1 << 24 ||
                  is == __bfloat162float(__float2bfloat16((float)want[at])),
              "%s: element (%d, %d) is %.9g, not %.9g rounded", name, i, j, is,
              want[at]);
    }
}

/* try a product of bf16 */
static inline void try_product16(const struct way16 *w, int has_wgmma, char ta,
                                 char tb, int m, int n, int k,
                                 const struct trial *t, uint64_t seed)
{
    struct matrix16 a = matrix16_make(ta, m, k, t->gap, t->ab, seed);
    struct matrix16 b = matrix16_make(tb, k, n, t->gap, t->ab, seed + 1);
    struct matrix16 c = matrix16_make('N', m, n, t->gap, t->c, seed + 2);
    double *want = wanted(ta, tb, t, k, &a.x, &b.x, &c.x, 0);
    double *abs_sum = wanted(ta, tb, t, k, &a.x, &b.x, &c.x, 1);
    bf16 *got =
        (bf16 *)check_alloc(a.x.count + b.x.count + c.x.count, sizeof *got);
    size_t bytes = c.x.count * sizeof *got;

    matrix16_shift(&a, t->shift);
    matrix16_shift(&b, t->shift);
    matrix16_shift(&c, t->shift);
    for (; w->name; w++) {
        if (w->needs_wgmma && (!has_wgmma || t->gap != WHOLE || m == 0 ||
                               n == 0 || k == 0 || t->alpha == 0))
            continue;
        CUDA_CHECK(cudaMemcpy(c.d, c.h, bytes, cudaMemcpyHostToDevice));
        w->run(ta, tb, m, n, k, t->alpha, a.d, a.x.ld, b.d, b.x.ld, t->beta,
               c.d, c.x.ld, 0);
        CUDA_CHECK(cudaMemcpy(got, c.d, bytes, cudaMemcpyDeviceToHost));
        compare16(w->name, t, k, &c, got, want, abs_sum);
        /* see that the inputs of bf16 are unchanged */
        CUDA_CHECK(cudaMemcpy(got, a.d, a.x.count * sizeof *got,
                              cudaMemcpyDeviceToHost));
        CHECK(!memcmp(got, a.h, a.x.count * sizeof *got), "%s: A was changed",
              w->name);
        CUDA_CHECK(cudaMemcpy(got, b.d, b.x.count * sizeof *got,
                              cudaMemcpyDeviceToHost));
        CHECK(!memcmp(got, b.h, b.x.count * sizeof *got), "%s: B was changed",
              w->name);
    }
    free(want);
    free(abs_sum);
    free(got);
    matrix16_free(&a);
    matrix16_free(&b);
    matrix16_free(&c);
}

/* try what the arguments say of bf16 */
/* The main function of a program that tries `ways`, up to one with no name. */
static inline int try_ways16(int argc, char **argv, const struct way16 *ways,
                             int has_wgmma)
{
    struct arg args[] = {ARG_SIZE("m", 45, 0, 4096), ARG_SIZE("n", 67, 0, 4096),
                         ARG_SIZE("k", 33, 0, 65536),
                         ARG_NUMBER("--below", 0, 0, 1024), ARG_FLAG("--few")};
    uint64_t seed = args_parse(argc, argv, "products of matrices of bf16", args,
                               ARG_COUNT(args));
    int m = (int)args[0].value, n = (int)args[1].value, k = (int)args[2].value;
    int most = (int)args[3].value, tried = 2 * most;

    for (int t = 0; most == 0 && t < TRIALS16; t++)
        for (int how = 0; how < 4; how++)
            if (!args[4].value || (t + how) % 3 == 0) {
                try_product16(ways, has_wgmma, "NT"[how / 2], "NT"[how % 2], m,
                              n, k, &trials16[t], seed);
                tried++;
            }
    for (int s = 0; s < most; s++) {
        uint64_t state = seed + s;
        int other = (int)rng_below(&state, most);
        int third = (int)rng_below(&state, most);

        try_product16(ways, has_wgmma, "NT"[s / 2 % 2], "NT"[s % 2], s, other,
                      third, &trials16[s % TRIALS16], seed);
        try_product16(ways, has_wgmma, "NT"[s % 2], "NT"[s / 2 % 2], other,
                      third, s, &trials16[s % TRIALS16], seed);
    }
    printf("ok: %d products each of", tried);
    for (; ways->name; ways++)
        if (!ways->needs_wgmma || has_wgmma)
            printf(" %s", ways->name);
    printf("\n");
    return 0;
}

#endif

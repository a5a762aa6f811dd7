/* trial.cuh: try ways to multiply matrices beside the reference. */
#ifndef MATMUL_TRIAL_CUH
#define MATMUL_TRIAL_CUH

#include <stdio.h>
#include <string.h>

#include "matmul/args.h"
#include "matmul/reference_d.h"
#include "reduce/bound.h"
#include "reduce/unchanged.h"
#include "tour/args.h"
#include "tour/rng.h"

/* name a way to multiply */
struct way {
    const char *name;
    void (*run)(char ta, char tb, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta,
                float *c, int ldc, cudaStream_t stream);
};

/* make a matrix with gaps */
struct matrix {
    int rows, cols, ld; /* as it is stored */
    size_t count;       /* of all numbers, with the gaps */
    float *h, *d;       /* on the host and on the device */
    float *room;        /* d lies in it, at its start or a few numbers on */
};

enum filling { RANDOM, SMALL, NANS };
enum { SHIFTS = 8 }; /* one more than d may lie behind its room's start */

static inline void matrix_free(struct matrix *x)
{
    CUDA_CHECK(cudaFree(x->room));
    free(x->h);
}
/* op(X) is rows x cols. matrix_free() it. */
static inline struct matrix matrix_make(char t, int rows, int cols, int gap,
                                        enum filling how, uint64_t seed)
{
    struct matrix x = {
        t == 'N' ? rows : cols, t == 'N' ? cols : rows, 0, 0, NULL, NULL, NULL};

    x.ld = x.cols + gap > 0 ? x.cols + gap : 1;
    x.count = (size_t)x.rows * x.ld + 8;
    x.h = (float *)check_alloc(x.count, sizeof *x.h);
    poison(x.h, x.count * sizeof *x.h);
    for (int i = 0; i < x.rows && how != NANS; i++)
        for (int j = 0; j < x.cols; j++)
            x.h[(size_t)i * x.ld + j] =
                how == SMALL ? rng_small(&seed) : 2 * rng_float(&seed) - 1;
    CUDA_CHECK(
        cudaMalloc((void **)&x.room, (x.count + SHIFTS) * sizeof *x.room));
    x.d = x.room;
    CUDA_CHECK(
        cudaMemcpy(x.d, x.h, x.count * sizeof *x.d, cudaMemcpyHostToDevice));
    return x;
}
/* Moves it on the device, `shift` < SHIFTS numbers behind its room's start. */
static inline void matrix_shift(struct matrix *x, int shift)
{
    x->d = x->room + shift;
    CUDA_CHECK(cudaMemcpy(x->d, x->h, x->count * sizeof *x->d,
                          cudaMemcpyHostToDevice));
}

/* list the trials */
static const struct trial {
    float alpha, beta;
    enum filling ab, c;
    int gap, shift;
} trials[] = {
    {1, 0, SMALL, NANS, 0, 0},   /* exact; C is not read */
    {1, 0, RANDOM, NANS, 3, 1},  /* rows with gaps, at odd addresses */
    {-2, 1, SMALL, SMALL, 1, 0}, /* exact, added to C */
    {0.7f, -1.3f, RANDOM, RANDOM, 5, 2},
    {0, 0.5f, NANS, RANDOM, 2, 3}, /* A and B are not read */
    {0, 0, NANS, NANS, 1, 0},      /* nothing is read */
};

enum { TRIALS = sizeof trials / sizeof *trials };

/* compute what is wanted */
/* The numbers of x, or their absolute values, as double; free() them. */
static inline double *in_double(const struct matrix *x, int absolute)
{
    double *y = (double *)check_alloc(x->count, sizeof *y);

    for (size_t i = 0; i < x->count; i++)
        y[i] = absolute ? fabs(x->h[i]) : x->h[i];
    return y;
}

/* alpha op(A) op(B) + beta C; or, for the bound, |op(A)| |op(B)|. */
static inline double *wanted(char ta, char tb, const struct trial *t, int k,
                             const struct matrix *a, const struct matrix *b,
                             const struct matrix *c, int absolute)
{
    double *x = in_double(a, absolute), *y = in_double(b, absolute);
    double *z = in_double(c, 0), one = t->alpha != 0;

    matmul_reference_d(ta, tb, c->rows, c->cols, k, absolute ? one : t->alpha,
                       x, a->ld, y, b->ld, absolute ? 0 : t->beta, z, c->ld);
    free(x);
    free(y);
    return z;
}

/* compare a product with what is wanted */

/* say how far an element may be off */
/* How far element `at` may be off. */
static inline double may_be_off(const struct trial *t, int k,
                                const struct matrix *c, const double *abs_sum,
                                size_t at)
{
    double old = t->beta == 0 ? 0 : c->h[at];

    return t->ab == SMALL ? 0
                          : bound_gemm(k, k, BOUND_FLOAT, t->alpha, t->beta,
                                       abs_sum[at], old);
}

static inline void compare(const char *name, const struct trial *t, int k,
                           const struct matrix *c, const float *got,
                           const double *want, const double *abs_sum)
{
    for (size_t at = 0; at < c->count; at++) {
        int i = (int)(at / c->ld), j = (int)(at % c->ld);
        int inside = i < c->rows && j < c->cols;

        CHECK(inside || memcmp(&got[at], &c->h[at], sizeof *got) == 0,
              "%s: wrote %g outside of C, at (%d, %d)", name, got[at], i, j);
        CHECK(!inside ||
                  fabs(got[at] - want[at]) <= may_be_off(t, k, c, abs_sum, at),
              "%s: element (%d, %d) of %d x %d, k %d, is %.9g, not %.9g", name,
              i, j, c->rows, c->cols, k, got[at], want[at]);
    }
}

/* try a product */
static inline void try_product(const struct way *w, char ta, char tb, int m,
                               int n, int k, const struct trial *t,
                               uint64_t seed)
{
    struct matrix a = matrix_make(ta, m, k, t->gap, t->ab, seed);
    struct matrix b = matrix_make(tb, k, n, 2 * t->gap, t->ab, seed + 1);
    struct matrix c = matrix_make('N', m, n, t->gap, t->c, seed + 2);
    double *want = wanted(ta, tb, t, k, &a, &b, &c, 0);
    double *abs_sum = wanted(ta, tb, t, k, &a, &b, &c, 1);
    float *got = (float *)check_alloc(c.count, sizeof *got);
    size_t bytes = c.count * sizeof *got;

    matrix_shift(&a, t->shift);
    matrix_shift(&b, t->shift);
    matrix_shift(&c, t->shift);
    for (; w->name; w++) {
        CUDA_CHECK(cudaMemcpy(c.d, c.h, bytes, cudaMemcpyHostToDevice));
        w->run(ta, tb, m, n, k, t->alpha, a.d, a.ld, b.d, b.ld, t->beta, c.d,
               c.ld, 0);
        CUDA_CHECK(cudaMemcpy(got, c.d, bytes, cudaMemcpyDeviceToHost));
        compare(w->name, t, k, &c, got, want, abs_sum);
        check_unchanged(a.count, a.h, a.d);
        check_unchanged(b.count, b.h, b.d);
    }
    /* free what was tried */
    free(want);
    free(abs_sum);
    free(got);
    matrix_free(&a);
    matrix_free(&b);
    matrix_free(&c);
}

/* try all kinds of products of a size */
static inline void try_size(const struct way *w, int m, int n, int k,
                            uint64_t seed)
{
    for (int t = 0; t < TRIALS; t++) {
        try_product(w, 'N', 'N', m, n, k, &trials[t], seed);
        try_product(w, 'N', 'T', m, n, k, &trials[t], seed);
        try_product(w, 'T', 'N', m, n, k, &trials[t], seed);
        try_product(w, 'T', 'T', m, n, k, &trials[t], seed);
    }
}

/* Shapes with every size below `most`. */
static inline void try_sizes(const struct way *w, int most, uint64_t seed)
{
    for (int s = 0; s < most; s++) {
        uint64_t state = seed + s;
        int other = (int)rng_below(&state, most);
        int third = (int)rng_below(&state, most);
        const struct trial *t = &trials[s % TRIALS];

        try_product(w, 'N', 'N', s, other, third, t, seed);
        try_product(w, 'N', 'T', other, s, third, t, seed);
        try_product(w, 'T', 'N', other, third, s, t, seed);
        try_product(w, 'T', 'T', s, s, s % 40, t, seed);
    }
}

/* try what the arguments say */
/* The main function of a program that tries `ways`, up to one with no name. */
static inline int try_ways(int argc, char **argv, const struct way *ways)
{
    struct arg args[] = {ARG_SIZE("m", 45, 0, 4096), ARG_SIZE("n", 67, 0, 4096),
                         ARG_SIZE("k", 33, 0, 65536),
                         ARG_NUMBER("--below", 0, 0, 1024)};
    uint64_t seed =
        args_parse(argc, argv, "products of matrices", args, ARG_COUNT(args));
    int m = (int)args[0].value, n = (int)args[1].value, k = (int)args[2].value;
    int most = (int)args[3].value;

    if (most == 0)
        try_size(ways, m, n, k, seed);
    try_sizes(ways, most, seed);
    printf("ok: %d products each of", most ? 4 * most : 4 * TRIALS);
    for (; ways->name; ways++)
        printf(" %s", ways->name);
    printf("\n");
    return 0;
}

#endif

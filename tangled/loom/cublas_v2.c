/* cublas_v2.c: the operations of cublas_v2.h. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<cblas.h>)
#include <cblas.h>
#else
#include <openblas/cblas.h>
#endif

#include "loom/cublas_v2.h"
#include "loom/loom_int.h"
#include "loom/matrix.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t mode;
    cublasMath_t math;
};

struct operand {
    char *p;
    int rows, columns, ld;
    long long stride; /* from one matrix of a batch to the next, in elements */
};

/* describe a call of cuBLAS */
enum blas { AXPY, SCAL, GEAM, GEMM, GER, DOT, NRM2, ASUM, AMAX, AMIN };

struct call {
    enum blas what;
    int size;               /* of an element: 2, 4 or 8 */
    int narrow;             /* a and b: CUDA_R_16F, _16BF, _8I, or 0 ... */
    int out;                /* ... and so is c: 1, or 0 */
    int whole;              /* c, or alpha and beta: 1 for int */
    int half;               /* alpha and beta are halves */
    int scattered;          /* a, b and c are arrays of places */
    int ta, tb, k, batch;   /* ta, tb: 1 for a transposed operand */
    double alpha, beta;     /* if they were on the host */
    const void *at[2];      /* if not: where they are */
    struct operand a, b, c; /* c is written */
    void *result;           /* of a dot product */
};

static double number(int size, const void *p)
{
    return size == 8 ? *(const double *)p : *(const float *)p;
}

/* alpha or beta */
static double factor(const struct call *c, const void *p)
{
    return c->half    ? loom_element(LOOM_F16, *(const uint16_t *)p)
           : c->whole ? *(const int *)p
                      : number(c->size, p);
}

static void store(int size, void *p, double x)
{
    if (size == 8)
        *(double *)p = x;
    else
        *(float *)p = (float)x;
}

/* keep handles */
cublasStatus_t cublasCreate(cublasHandle_t *h)
{
    if (!h)
        return CUBLAS_STATUS_INVALID_VALUE;
    *h = (cublasHandle_t)calloc(1, sizeof **h);
    return *h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasDestroy(cublasHandle_t h)
{
    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    free(h);
    return CUBLAS_STATUS_SUCCESS;
}

/* set what a handle remembers */
#define LOOM_SETS(what, T, field)                                         \
    cublasStatus_t cublasSet##what(cublasHandle_t h, T value)             \
    {                                                                     \
        if (h)                                                            \
            h->field = value;                                             \
        return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED; \
    }                                                                     \
    cublasStatus_t cublasGet##what(cublasHandle_t h, T *value)            \
    {                                                                     \
        if (h)                                                            \
            *value = h->field;                                            \
        return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED; \
    }
LOOM_SETS(Stream, cudaStream_t, stream)
LOOM_SETS(PointerMode, cublasPointerMode_t, mode)
LOOM_SETS(MathMode, cublasMath_t, math) /* without effect */
#undef LOOM_SETS

/* take what has no effect */
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *p, size_t bytes)
{
    (void)p, (void)bytes;
    return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion(cublasHandle_t h, int *version)
{
    *version = CUBLAS_VERSION; /* of the calls' form: CUDA 13.0 */
    return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
size_t cublasGetCudartVersion(void)
{
    return 13000;
}
const char *cublasGetStatusString(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}
const char *cublasGetStatusName(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS:
        return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
        return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
        return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
        return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_NOT_SUPPORTED:
        return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
        return "CUBLAS_STATUS_EXECUTION_FAILED";
    }
}

/* find what is wrong with an operand */
static const char *const name[] = {"axpy", "scal", "geam", "gemm", "ger",
                                   "dot",  "nrm2", "asum", "amax", "amin"};

/* Bytes of an element. */
static size_t width(const struct call *c, const struct operand *o)
{
    return !c->narrow || (o == &c->c && !c->out) ? (size_t)c->size
           : c->narrow == CUDA_R_8I              ? 1
                                                 : 2;
}

/* Where matrix i of a batch begins. */
static char *matrix_at(const struct call *c, const struct operand *o, int i)
{
    return c->scattered ? ((char **)o->p)[i]
                        : o->p + i * o->stride * (long long)width(c, o);
}

static int bad(const struct call *c, const char *role, const struct operand *o)
{
    size_t last = (size_t)(o->columns - 1) * o->ld + o->rows;
    char text[40];

    if (o->rows == 0 || o->columns == 0)
        return 0;
    last += (size_t)(c->batch - 1) * (size_t)o->stride;
    last =
        c->scattered ? (size_t)c->batch * sizeof(char *) : last * width(c, o);
    snprintf(text, sizeof text, "cublas%c%s", c->size == 8 ? 'D' : 'S',
             name[c->what]);
    return loom_blamed(text, role, o->p, last, 1);
}

/* do the work of a call */
static enum CBLAS_TRANSPOSE op(int transposed)
{
    return transposed ? CblasTrans : CblasNoTrans;
}
static void gemm(const struct call *c, char *a, char *b, char *d)
{
    int k = c->alpha == 0 ? 0 : c->k;

    for (int j = 0; c->beta == 0 && j < c->c.columns; j++)
        memset(d + c->size * j * (size_t)c->c.ld, 0,
               c->size * (size_t)c->c.rows);
    if (c->size == 8)
        cblas_dgemm(CblasColMajor, op(c->ta), op(c->tb), c->c.rows,
                    c->c.columns, k, c->alpha, (double *)a, c->a.ld,
                    (double *)b, c->b.ld, c->beta, (double *)d, c->c.ld);
    else
        cblas_sgemm(CblasColMajor, op(c->ta), op(c->tb), c->c.rows,
                    c->c.columns, k, (float)c->alpha, (float *)a, c->a.ld,
                    (float *)b, c->b.ld, (float)c->beta, (float *)d, c->c.ld);
}

/* multiply numbers of 16 bits */
static int element_of(int type)
{
    return type == CUDA_R_16F ? LOOM_F16 : LOOM_BF16;
}

/* multiply matrices of 16 bits */
static float *widened_matrix(const struct call *c, const struct operand *o,
                             const char *p)
{
    size_t n = (size_t)o->columns * (size_t)o->ld;
    float *to = calloc(n + 1, sizeof *to);

    if (!to)
        abort();
    for (int j = 0; j < o->columns; j++)
        for (int i = 0; i < o->rows; i++) {
            size_t k = (size_t)i + (size_t)j * (size_t)o->ld;

            to[k] = (float)loom_element(element_of(c->narrow),
                                        ((const uint16_t *)p)[k]);
        }
    return to;
}

static void gemm_narrow(const struct call *c, char *a, char *b, char *d)
{
    struct call wide = *c;
    float *fa = widened_matrix(c, &c->a, a), *fb = widened_matrix(c, &c->b, b);
    float *fd = c->out ? widened_matrix(c, &c->c, d) : (float *)d;

    wide.narrow = 0;
    gemm(&wide, (char *)fa, (char *)fb, (char *)fd);
    for (int j = 0; c->out && j < c->c.columns; j++)
        for (int i = 0; i < c->c.rows; i++) {
            size_t k = (size_t)i + (size_t)j * (size_t)c->c.ld;

            ((uint16_t *)d)[k] =
                (uint16_t)loom_narrow(element_of(c->narrow), fd[k], 0);
        }
    free(fa);
    free(fb);
    if (c->out)
        free(fd);
}

/* multiply bytes into words */
static void gemm_bytes(const struct call *c, char *a, char *b, char *d)
{
    size_t lda = (size_t)c->a.ld, ldb = (size_t)c->b.ld;

    for (int j = 0; j < c->c.columns; j++)
        for (int i = 0; i < c->c.rows; i++) {
            char *to = d + 4 * ((size_t)i + (size_t)j * (size_t)c->c.ld);
            unsigned sum = 0;
            double old = 0;

            for (int l = 0; l < c->k; l++)
                sum += (unsigned)((signed char)a[c->ta ? (size_t)l + i * lda
                                                       : i + l * lda] *
                                  (signed char)b[c->tb ? (size_t)j + l * ldb
                                                       : l + j * ldb]);
            if (c->beta)
                old = c->whole ? *(int *)to : (double)*(float *)to;
            old = c->alpha * (int)sum + c->beta * old;
            if (c->whole)
                *(int *)to = (int)(unsigned)(long long)old;
            else
                *(float *)to = (float)old;
        }
}

static char *element(const struct call *c, const struct operand *o, int t,
                     int i, int j)
{
    return o->p + c->size * (t ? j + (size_t)i * o->ld : i + (size_t)j * o->ld);
}

static void add(const struct call *c)
{
    for (int j = 0; j < c->c.columns; j++)
        for (int i = 0; i < c->c.rows; i++) {
            double x = 0;

            if (c->alpha != 0)
                x = c->alpha * number(c->size, element(c, &c->a, c->ta, i, j));
            if (c->beta != 0)
                x += c->beta * number(c->size, element(c, &c->b, c->tb, i, j));
            store(c->size, element(c, &c->c, 0, i, j), x);
        }
}

/* One number of one or two vectors; AMAX and AMIN count from 1. */
static double dot(const struct call *c)
{
    double sum = 0, best = 0;
    int at = 0;

    for (int j = 0; j < c->a.columns; j++) {
        double x = number(c->size, element(c, &c->a, 0, 0, j));

        sum += c->what == DOT ? x * number(c->size, element(c, &c->b, 0, 0, j))
               : c->what == NRM2 ? x * x
                                 : fabs(x);
        if (at == 0 || (c->what == AMAX && fabs(x) > best) ||
            (c->what == AMIN && fabs(x) < best)) {
            best = fabs(x);
            at = j + 1;
        }
    }
    return c->what >= AMAX ? at : c->what == NRM2 ? sqrt(sum) : sum;
}

static void rank_one(const struct call *c)
{
    for (int j = 0; j < c->c.columns; j++)
        for (int i = 0; i < c->c.rows; i++) {
            char *to = element(c, &c->c, 0, i, j);

            store(c->size, to,
                  number(c->size, to) +
                      c->alpha * number(c->size, element(c, &c->a, 0, 0, i)) *
                          number(c->size, element(c, &c->b, 0, 0, j)));
        }
}
static void work(void *args)
{
    struct call *c = (struct call *)args;
    size_t size = width(c, &c->c), row = (size_t)c->c.rows * size;

    loom_open();
    if (c->at[0])
        c->alpha = factor(c, c->at[0]);
    if (c->at[1])
        c->beta = factor(c, c->at[1]);
    for (int i = 0; c->what == GEMM && i < c->batch; i++)
        (c->narrow == CUDA_R_8I ? gemm_bytes
         : c->narrow            ? gemm_narrow
                     : gemm)(c, matrix_at(c, &c->a, i), matrix_at(c, &c->b, i),
                             matrix_at(c, &c->c, i));
    if (c->what >= AMAX)
        *(int *)c->result = (int)dot(c);
    else if (c->what >= DOT)
        store(c->size, c->result, dot(c));
    else if (c->what == GER)
        rank_one(c);
    else if (c->what != GEMM)
        add(c);
    for (int i = 0; i < c->batch; i++)
        for (int j = 0; row && j < c->c.columns; j++)
            loom_written(matrix_at(c, &c->c, i) +
                             size * (size_t)j * (size_t)c->c.ld,
                         row);
    loom_done();
}

/* put the work into the stream */
static cublasStatus_t submit(cublasHandle_t h, struct call *c,
                             const void *alpha, const void *beta)
{
    const struct operand *o[] = {&c->a, &c->b, &c->c};
    int wrong;

    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    for (int i = 0; i < 3; i++)
        if (o[i]->rows < 0 || o[i]->columns < 0 || o[i]->stride < 0 ||
            (o[i]->p && o[i]->ld < (o[i]->rows > 1 ? o[i]->rows : 1)))
            return CUBLAS_STATUS_INVALID_VALUE;
    if (c->k < 0 || c->batch < 0 || (c->what < DOT && !alpha))
        return CUBLAS_STATUS_INVALID_VALUE;
    /* read the factors */
    if (h->mode == CUBLAS_POINTER_MODE_DEVICE) {
        c->at[0] = alpha;
        c->at[1] = beta;
    } else {
        if (alpha)
            c->alpha = factor(c, alpha);
        if (beta)
            c->beta = factor(c, beta);
        if (c->what == GEAM && c->alpha == 0)
            c->a.rows = 0;
        if (c->what == GEAM && c->beta == 0)
            c->b.rows = 0;
    }
    loom_open();
    wrong = bad(c, "first operand", &c->a) || bad(c, "second operand", &c->b) ||
            bad(c, "result", &c->c);
    loom_done();
    if (wrong)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (loom_enqueue(h->stream, work, c, sizeof *c) != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    if (c->what >= DOT && h->mode == CUBLAS_POINTER_MODE_HOST)
        loom_finish(h->stream);
    return CUBLAS_STATUS_SUCCESS;
}

/* define the operations */
static struct operand matrix(const void *p, int rows, int columns, int t,
                             int ld, long long stride)
{
    struct operand o = {(char *)p, t ? columns : rows, t ? rows : columns, ld,
                        stride};

    return o;
}
static struct operand vector(const void *p, int n, int inc)
{
    return matrix(p, n > 0 ? 1 : n, n, 0, inc, 0);
}

/* fill the struct of an operation on vectors */
static cublasStatus_t axpy(cublasHandle_t h, int size, int n, const void *alpha,
                           const void *x, int incx, void *y, int incy)
{
    struct call c = {.what = AXPY, .size = size, .batch = 1, .beta = 1};

    c.a = vector(x, n, incx);
    c.b = c.c = vector(y, n, incy);
    return submit(h, &c, alpha, NULL);
}
static cublasStatus_t scal(cublasHandle_t h, int size, int n, const void *alpha,
                           void *x, int incx)
{
    struct call c = {.what = SCAL, .size = size, .batch = 1};

    c.a = c.c = vector(x, n, incx);
    return submit(h, &c, alpha, NULL);
}

/* A copy is a sum of one. */
static cublasStatus_t copy(cublasHandle_t h, int size, int n, const void *x,
                           int incx, void *y, int incy)
{
    static const double one = 1;
    static const float one_f = 1;
    struct call c = {.what = GEAM, .size = size, .batch = 1};

    c.a = vector(x, n, incx);
    c.c = vector(y, n, incy);
    return submit(h, &c, size == 8 ? (const void *)&one : &one_f, NULL);
}

static cublasStatus_t ger(cublasHandle_t h, int size, int m, int n,
                          const void *alpha, const void *x, int incx,
                          const void *y, int incy, void *a, int lda)
{
    struct call c = {.what = GER, .size = size, .batch = 1};

    c.a = vector(x, m, incx);
    c.b = vector(y, n, incy);
    c.c = matrix(a, m, n, 0, lda, 0);
    return submit(h, &c, alpha, NULL);
}

/* fill the struct of a dot product */
static cublasStatus_t dot_of(cublasHandle_t h, enum blas what, int size, int n,
                             const void *x, int incx, const void *y, int incy,
                             void *result)
{
    struct call c = {.what = what, .size = size, .batch = 1, .result = result};

    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    c.a = vector(x, n, incx);
    if (y)
        c.b = vector(y, n, incy);
    if (h->mode == CUBLAS_POINTER_MODE_DEVICE)
        c.c = vector(result, 1, 1);
    return submit(h, &c, NULL, NULL);
}

/* fill the struct of an operation on matrices */
static cublasStatus_t submit_product(cublasHandle_t h, struct call *c, int m,
                                     int n, const void *alpha, struct operand a,
                                     struct operand b, const void *beta,
                                     struct operand d)
{
    c->a = matrix(a.p, m, c->k, c->ta, a.ld, a.stride);
    c->b = matrix(b.p, c->k, n, c->tb, b.ld, b.stride);
    c->c = matrix(d.p, m, n, 0, d.ld, d.stride);
    return beta ? submit(h, c, alpha, beta) : CUBLAS_STATUS_INVALID_VALUE;
}

static cublasStatus_t product(cublasHandle_t h, int size, cublasOperation_t ta,
                              cublasOperation_t tb, int m, int n, int k,
                              const void *alpha, struct operand a,
                              struct operand b, const void *beta,
                              struct operand result, int batch)
{
    struct call c = {.what = GEMM, .size = size, .batch = batch, .k = k};

    c.ta = ta != CUBLAS_OP_N;
    c.tb = tb != CUBLAS_OP_N;
    return submit_product(h, &c, m, n, alpha, a, b, beta, result);
}

/* y' = x' op(A)': a vector with a step is a row of a matrix. */
static cublasStatus_t gemv(cublasHandle_t h, int size, cublasOperation_t ta,
                           int m, int n, const void *alpha, struct operand a,
                           struct operand x, const void *beta, struct operand y)
{
    int t = ta != CUBLAS_OP_N;

    return product(h, size, CUBLAS_OP_N, t ? CUBLAS_OP_N : CUBLAS_OP_T, 1,
                   t ? n : m, t ? m : n, alpha, x, a, beta, y, 1);
}
static cublasStatus_t sum(cublasHandle_t h, int size, cublasOperation_t ta,
                          cublasOperation_t tb, int m, int n, const void *alpha,
                          struct operand a, const void *beta, struct operand b,
                          struct operand result)
{
    struct call c = {.what = GEAM, .size = size, .batch = 1};

    c.ta = ta != CUBLAS_OP_N;
    c.tb = tb != CUBLAS_OP_N;
    c.a = matrix(a.p, m, n, c.ta, a.ld, 0);
    c.b = matrix(b.p, m, n, c.tb, b.ld, 0);
    c.c = matrix(result.p, m, n, 0, result.ld, 0);
    return beta ? submit(h, &c, alpha, beta) : CUBLAS_STATUS_INVALID_VALUE;
}

/* define the operations for both types */

/* say where an operand is */
#define AT(p, ld, stride)             \
    (struct operand)                  \
    {                                 \
        (char *)(p), 0, 0, ld, stride \
    }

/* name the operations on vectors */
#define ONE_NUMBER(call, what, T, R)                                           \
    cublasStatus_t call(cublasHandle_t h, int n, const T *x, int incx, R *out) \
    {                                                                          \
        return dot_of(h, what, sizeof(T), n, x, incx, NULL, 0, out);           \
    }
#define VECTORS(S, T)                                                       \
    cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T *alpha, \
                                   const T *x, int incx, T *y, int incy)    \
    {                                                                       \
        return axpy(h, sizeof(T), n, alpha, x, incx, y, incy);              \
    }                                                                       \
    cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T *alpha, \
                                   T *x, int incx)                          \
    {                                                                       \
        return scal(h, sizeof(T), n, alpha, x, incx);                       \
    }                                                                       \
    cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T *x,      \
                                  int incx, const T *y, int incy, T *out)   \
    {                                                                       \
        return dot_of(h, DOT, sizeof(T), n, x, incx, y, incy, out);         \
    }                                                                       \
    cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T *x,     \
                                   int incx, T *y, int incy)                \
    {                                                                       \
        return copy(h, sizeof(T), n, x, incx, y, incy);                     \
    }                                                                       \
    ONE_NUMBER(cublas##S##nrm2, NRM2, T, T)                                 \
    ONE_NUMBER(cublas##S##asum, ASUM, T, T)                                 \
    ONE_NUMBER(cublasI##S##max, AMAX, T, int)                               \
    ONE_NUMBER(cublasI##S##min, AMIN, T, int)

/* name the operations on matrices */
#define MATRICES(S, T)                                                         \
    cublasStatus_t cublas##S##geam(                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, const T *alpha, const T *a, int lda, const T *beta, const T *b, \
        int ldb, T *c, int ldc)                                                \
    {                                                                          \
        return sum(h, sizeof(T), ta, tb, m, n, alpha, AT(a, lda, 0), beta,     \
                   AT(b, ldb, 0), AT(c, ldc, 0));                              \
    }                                                                          \
    cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t ta,     \
                                   int m, int n, const T *alpha, const T *a,   \
                                   int lda, const T *x, int incx,              \
                                   const T *beta, T *y, int incy)              \
    {                                                                          \
        return gemv(h, sizeof(T), ta, m, n, alpha, AT(a, lda, 0),              \
                    AT(x, incx, 0), beta, AT(y, incy, 0));                     \
    }                                                                          \
    cublasStatus_t cublas##S##ger(cublasHandle_t h, int m, int n,              \
                                  const T *alpha, const T *x, int incx,        \
                                  const T *y, int incy, T *a, int lda)         \
    {                                                                          \
        return ger(h, sizeof(T), m, n, alpha, x, incx, y, incy, a, lda);       \
    }                                                                          \
    cublasStatus_t cublas##S##gemm(                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, int k, const T *alpha, const T *a, int lda, const T *b,         \
        int ldb, const T *beta, T *c, int ldc)                                 \
    {                                                                          \
        return product(h, sizeof(T), ta, tb, m, n, k, alpha, AT(a, lda, 0),    \
                       AT(b, ldb, 0), beta, AT(c, ldc, 0), 1);                 \
    }                                                                          \
    cublasStatus_t cublas##S##gemmStridedBatched(                              \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, int k, const T *alpha, const T *a, int lda, long long sa,       \
        const T *b, int ldb, long long sb, const T *beta, T *c, int ldc,       \
        long long sc, int batch)                                               \
    {                                                                          \
        return product(h, sizeof(T), ta, tb, m, n, k, alpha, AT(a, lda, sa),   \
                       AT(b, ldb, sb), beta, AT(c, ldc, sc), batch);           \
    }
VECTORS(S, float)
VECTORS(D, double)
MATRICES(S, float)
MATRICES(D, double)

/* multiply what has any type */
/* Whether Loom multiplies these; fills c with what they mean. */
static int understood(struct call *c, cudaDataType A, cudaDataType B,
                      cudaDataType C, cublasComputeType_t compute)
{
    int narrow = A == CUDA_R_16F || A == CUDA_R_16BF, bytes = A == CUDA_R_8I;
    int whole =
        compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
    int twice =
        compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;

    c->size = A == CUDA_R_64F ? 8 : 4;
    c->narrow = narrow || bytes ? (int)A : 0;
    c->out = narrow && C == A;
    c->whole = whole;
    c->half =
        compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    if (A != B || (c->half && (A != CUDA_R_16F || C != A)) ||
        (whole && (!bytes || C != CUDA_R_32I)) || (c->size == 8) != twice)
        return 0;
    if (bytes)
        return C == (whole ? CUDA_R_32I : CUDA_R_32F);
    return narrow ? C == A || C == CUDA_R_32F
                  : C == A && (A == CUDA_R_32F || A == CUDA_R_64F);
}

/* multiply what is understood */
static cublasStatus_t
product_of(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,
           int n, int k, const void *alpha, struct operand a,
           cudaDataType Atype, struct operand b, cudaDataType Btype,
           const void *beta, struct operand d, cudaDataType Ctype, int batch,
           cublasComputeType_t compute, int scattered)
{
    struct call c = {.what = GEMM, .batch = batch, .k = k};

    if (!understood(&c, Atype, Btype, Ctype, compute)) {
        loom_say("cublasGemmEx: Loom lacks these types so far: it multiplies"
                 " numbers of 16 bits and floats in float, doubles in double,"
                 " and bytes in int");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    c.scattered = scattered;
    c.ta = ta != CUBLAS_OP_N;
    c.tb = tb != CUBLAS_OP_N;
    return submit_product(h, &c, m, n, alpha, a, b, beta, d);
}

/* multiply what is scattered, or in halves */
cublasStatus_t cublasGemmBatchedEx(
    cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
    int k, const void *alpha, const void *const A[], cudaDataType Atype,
    int lda, const void *const B[], cudaDataType Btype, int ldb,
    const void *beta, void *const C[], cudaDataType Ctype, int ldc, int batch,
    cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    (void)algo;
    return product_of(h, ta, tb, m, n, k, alpha, AT(A, lda, 0), Atype,
                      AT(B, ldb, 0), Btype, beta, AT(C, ldc, 0), Ctype, batch,
                      compute, 1);
}

#define BATCHED(S, T, type, compute)                                         \
    cublasStatus_t cublas##S##gemmBatched(                                   \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, \
        int n, int k, const T *alpha, const T *const A[], int lda,           \
        const T *const B[], int ldb, const T *beta, T *const C[], int ldc,   \
        int batch)                                                           \
    {                                                                        \
        return product_of(h, ta, tb, m, n, k, alpha, AT(A, lda, 0), type,    \
                          AT(B, ldb, 0), type, beta, AT(C, ldc, 0), type,    \
                          batch, compute, 1);                                \
    }
BATCHED(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
BATCHED(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
BATCHED(H, struct __half, CUDA_R_16F, CUBLAS_COMPUTE_16F)

cublasStatus_t
cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta,
                          cublasOperation_t tb, int m, int n, int k,
                          const struct __half *alpha, const struct __half *A,
                          int lda, long long sa, const struct __half *B,
                          int ldb, long long sb, const struct __half *beta,
                          struct __half *C, int ldc, long long sc, int batch)
{
    return product_of(h, ta, tb, m, n, k, alpha, AT(A, lda, sa), CUDA_R_16F,
                      AT(B, ldb, sb), CUDA_R_16F, beta, AT(C, ldc, sc),
                      CUDA_R_16F, batch, CUBLAS_COMPUTE_16F, 0);
}
cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t ta,
                           cublasOperation_t tb, int m, int n, int k,
                           const struct __half *alpha, const struct __half *A,
                           int lda, const struct __half *B, int ldb,
                           const struct __half *beta, struct __half *C, int ldc)
{
    return cublasHgemmStridedBatched(h, ta, tb, m, n, k, alpha, A, lda, 0, B,
                                     ldb, 0, beta, C, ldc, 0, 1);
}

cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
    int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
    long long sa, const void *B, cudaDataType Btype, int ldb, long long sb,
    const void *beta, void *C, cudaDataType Ctype, int ldc, long long sc,
    int batch, cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    (void)algo;
    return product_of(h, ta, tb, m, n, k, alpha, AT(A, lda, sa), Atype,
                      AT(B, ldb, sb), Btype, beta, AT(C, ldc, sc), Ctype, batch,
                      compute, 0);
}

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta,
                            cublasOperation_t tb, int m, int n, int k,
                            const void *alpha, const void *A,
                            cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta,
                            void *C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    return cublasGemmStridedBatchedEx(h, ta, tb, m, n, k, alpha, A, Atype, lda,
                                      0, B, Btype, ldb, 0, beta, C, Ctype, ldc,
                                      0, 1, compute, algo);
}

/* copy vectors and matrices */
static cublasStatus_t copied(int rows, int cols, int size, const void *from,
                             int ld_from, void *to, int ld_to,
                             enum cudaMemcpyKind kind, int later,
                             cudaStream_t stream)
{
    size_t pitch = (size_t)ld_to * (size_t)size, row, from_pitch;
    cudaError_t e;

    if (rows < 0 || cols < 0 || size <= 0 || ld_from <= 0 || ld_to <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || cols == 0)
        return CUBLAS_STATUS_SUCCESS;
    row = (size_t)rows * (size_t)size;
    from_pitch = (size_t)ld_from * (size_t)size;
    e = later ? cudaMemcpy2DAsync(to, pitch, from, from_pitch, row,
                                  (size_t)cols, kind, stream)
              : cudaMemcpy2D(to, pitch, from, from_pitch, row, (size_t)cols,
                             kind);
    return e ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}
#define COPIES(Set, kind)                                                     \
    cublasStatus_t cublas##Set##Vector(int n, int size, const void *x,        \
                                       int incx, void *y, int incy)           \
    {                                                                         \
        return n < 0 ? CUBLAS_STATUS_MAPPING_ERROR                            \
                     : copied(1, n, size, x, incx, y, incy, kind, 0, NULL);   \
    }                                                                         \
    cublasStatus_t cublas##Set##Matrix(int rows, int cols, int size,          \
                                       const void *A, int lda, void *B,       \
                                       int ldb)                               \
    {                                                                         \
        return copied(rows, cols, size, A, lda, B, ldb, kind, 0, NULL);       \
    }                                                                         \
    cublasStatus_t cublas##Set##VectorAsync(int n, int size, const void *x,   \
                                            int incx, void *y, int incy,      \
                                            cudaStream_t stream)              \
    {                                                                         \
        return n < 0 ? CUBLAS_STATUS_MAPPING_ERROR                            \
                     : copied(1, n, size, x, incx, y, incy, kind, 1, stream); \
    }                                                                         \
    cublasStatus_t cublas##Set##MatrixAsync(int rows, int cols, int size,     \
                                            const void *A, int lda, void *B,  \
                                            int ldb, cudaStream_t stream)     \
    {                                                                         \
        return copied(rows, cols, size, A, lda, B, ldb, kind, 1, stream);     \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
#undef COPIES

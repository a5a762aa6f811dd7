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

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t mode;
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
    int narrow;             /* a and b: CUDA_R_16F, CUDA_R_16BF, or 0 ... */
    int out;                /* ... and so is c: 1, or 0 */
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
#undef LOOM_SETS

/* take what has no effect */
cublasStatus_t cublasSetMathMode(cublasHandle_t h, cublasMath_t mode)
{
    (void)mode;
    return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *p, size_t bytes)
{
    (void)p, (void)bytes;
    return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion(cublasHandle_t h, int *version)
{
    *version = 130000; /* of the calls' form: CUDA 13.0 */
    return h ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
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
    return c->narrow && (o != &c->c || c->out) ? 2 : (size_t)c->size;
}

static int bad(const struct call *c, const char *role, const struct operand *o)
{
    size_t last = (size_t)(o->columns - 1) * o->ld + o->rows;
    char text[40];

    if (o->rows == 0 || o->columns == 0)
        return 0;
    last += (size_t)(c->batch - 1) * (size_t)o->stride;
    snprintf(text, sizeof text, "cublas%c%s", c->size == 8 ? 'D' : 'S',
             name[c->what]);
    return loom_blamed(text, role, o->p, last * width(c, o), 1);
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
static float widened(int type, uint16_t h)
{
    uint32_t bits = (uint32_t)h << 16, rest = h & 0x7fffu;
    float f;

    if (type == CUDA_R_16F && rest < 0x400) {
        f = (float)rest * 0x1p-24f;
        return h & 0x8000 ? -f : f;
    }
    if (type == CUDA_R_16F)
        bits = (h & 0x8000u) << 16 |
               ((rest << 13) + (rest < 0x7c00 ? 112u << 23 : 224u << 23));
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint16_t narrowed(int type, float f)
{
    uint32_t x, sign;
    float half;

    memcpy(&x, &f, sizeof x);
    sign = x >> 16 & 0x8000;
    x &= 0x7fffffff;
    if (x > 0x7f800000)
        return 0x7fff;
    if (type == CUDA_R_16BF)
        return (uint16_t)(sign | (x + 0x7fff + (x >> 16 & 1)) >> 16);
    if (x >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (x >= 0x38800000)
        return (uint16_t)(sign |
                          (x - (112u << 23) + 0xfff + (x >> 13 & 1)) >> 13);
    memcpy(&half, &x, sizeof half);
    half += 0.5f;
    memcpy(&x, &half, sizeof x);
    return (uint16_t)(sign | (x - 0x3f000000));
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

            to[k] = widened(c->narrow, ((const uint16_t *)p)[k]);
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

            ((uint16_t *)d)[k] = narrowed(c->narrow, fd[k]);
        }
    free(fa);
    free(fb);
    if (c->out)
        free(fd);
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
        c->alpha = number(c->size, c->at[0]);
    if (c->at[1])
        c->beta = number(c->size, c->at[1]);
    for (int i = 0; c->what == GEMM && i < c->batch; i++)
        (c->narrow ? gemm_narrow
                   : gemm)(c, c->a.p + i * c->a.stride * (int)width(c, &c->a),
                           c->b.p + i * c->b.stride * (int)width(c, &c->b),
                           c->c.p + i * c->c.stride * (int)size);
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
            loom_written(c->c.p + size * ((size_t)i * (size_t)c->c.stride +
                                          (size_t)j * (size_t)c->c.ld),
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
            c->alpha = number(c->size, alpha);
        if (beta)
            c->beta = number(c->size, beta);
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
static cublasStatus_t product(cublasHandle_t h, int size, cublasOperation_t ta,
                              cublasOperation_t tb, int m, int n, int k,
                              const void *alpha, struct operand a,
                              struct operand b, const void *beta,
                              struct operand result, int batch)
{
    struct call c = {.what = GEMM, .size = size, .batch = batch, .k = k};

    c.ta = ta != CUBLAS_OP_N;
    c.tb = tb != CUBLAS_OP_N;
    c.a = matrix(a.p, m, k, c.ta, a.ld, a.stride);
    c.b = matrix(b.p, k, n, c.tb, b.ld, b.stride);
    c.c = matrix(result.p, m, n, 0, result.ld, result.stride);
    return beta ? submit(h, &c, alpha, beta) : CUBLAS_STATUS_INVALID_VALUE;
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
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
    int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
    long long sa, const void *B, cudaDataType Btype, int ldb, long long sb,
    const void *beta, void *C, cudaDataType Ctype, int ldc, long long sc,
    int batch, cublasComputeType_t compute, cublasGemmAlgo_t algo)
{
    int narrow = Atype == CUDA_R_16F || Atype == CUDA_R_16BF;
    int size = Atype == CUDA_R_64F ? 8 : 4;
    struct call c = {.what = GEMM, .size = size, .batch = batch, .k = k};

    (void)algo;
    if (Atype != Btype ||
        (Ctype != Atype && !(narrow && Ctype == CUDA_R_32F)) ||
        (!narrow && Atype != CUDA_R_32F && Atype != CUDA_R_64F) ||
        (compute < CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32I) ||
        (size == 8) != (compute == CUBLAS_COMPUTE_64F ||
                        compute == CUBLAS_COMPUTE_64F_PEDANTIC)) {
        loom_say("cublasGemmEx: Loom lacks these types so far: it multiplies"
                 " numbers of 16 bits and floats in float, doubles in double");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    c.narrow = narrow ? (int)Atype : 0;
    c.out = narrow && Ctype == Atype;
    c.ta = ta != CUBLAS_OP_N;
    c.tb = tb != CUBLAS_OP_N;
    c.a = matrix(A, m, k, c.ta, lda, sa);
    c.b = matrix(B, k, n, c.tb, ldb, sb);
    c.c = matrix(C, m, n, 0, ldc, sc);
    return beta ? submit(h, &c, alpha, beta) : CUBLAS_STATUS_INVALID_VALUE;
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
                             enum cudaMemcpyKind kind)
{
    if (rows < 0 || cols < 0 || size <= 0 || ld_from < rows || ld_to < rows)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (rows == 0 || cols == 0)
        return CUBLAS_STATUS_SUCCESS;
    return cudaMemcpy2D(to, (size_t)ld_to * (size_t)size, from,
                        (size_t)ld_from * (size_t)size,
                        (size_t)rows * (size_t)size, (size_t)cols, kind)
               ? CUBLAS_STATUS_MAPPING_ERROR
               : CUBLAS_STATUS_SUCCESS;
}
#define COPIES(Set, kind)                                               \
    cublasStatus_t cublas##Set##Vector(int n, int size, const void *x,  \
                                       int incx, void *y, int incy)     \
    {                                                                   \
        return copied(1, n, size, x, incx, y, incy, kind);              \
    }                                                                   \
    cublasStatus_t cublas##Set##Matrix(int rows, int cols, int size,    \
                                       const void *A, int lda, void *B, \
                                       int ldb)                         \
    {                                                                   \
        return copied(rows, cols, size, A, lda, B, ldb, kind);          \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
#undef COPIES

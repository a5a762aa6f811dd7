/* cublas_v2.c: the operations of cublas_v2.h. */
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
enum blas { AXPY, SCAL, DOT, GEAM, GEMM };

struct call {
    enum blas what;
    int size;               /* of an element: 4 or 8 */
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
    default:
        return "CUBLAS_STATUS_EXECUTION_FAILED";
    }
}

/* find what is wrong with an operand */
static const char *const name[] = {"axpy", "scal", "dot", "geam", "gemm"};

static int bad(const struct call *c, const char *role, const struct operand *o)
{
    size_t last = (size_t)(o->columns - 1) * o->ld + o->rows;
    char text[40];

    if (o->rows == 0 || o->columns == 0)
        return 0;
    last += (size_t)(c->batch - 1) * (size_t)o->stride;
    snprintf(text, sizeof text, "cublas%c%s", c->size == 8 ? 'D' : 'S',
             name[c->what]);
    return loom_blamed(text, role, o->p, last * c->size, 1);
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

static double dot(const struct call *c)
{
    double sum = 0;

    for (int j = 0; j < c->a.columns; j++)
        sum += number(c->size, element(c, &c->a, 0, 0, j)) *
               number(c->size, element(c, &c->b, 0, 0, j));
    return sum;
}
static void work(void *args)
{
    struct call *c = (struct call *)args;
    size_t row = (size_t)c->c.rows * c->size;

    loom_open();
    if (c->at[0])
        c->alpha = number(c->size, c->at[0]);
    if (c->at[1])
        c->beta = number(c->size, c->at[1]);
    for (int i = 0; c->what == GEMM && i < c->batch; i++)
        gemm(c, c->a.p + i * c->a.stride * c->size,
             c->b.p + i * c->b.stride * c->size,
             c->c.p + i * c->c.stride * c->size);
    if (c->what == DOT)
        store(c->size, c->result, dot(c));
    else if (c->what != GEMM)
        add(c);
    for (int i = 0; i < c->batch; i++)
        for (int j = 0; row && j < c->c.columns; j++)
            loom_written(c->c.p +
                             c->size * (i * c->c.stride + (size_t)j * c->c.ld),
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
    if (c->k < 0 || c->batch < 0 || (c->what != DOT && !alpha))
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
    return loom_enqueue(h->stream, work, c, sizeof *c) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
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

/* fill the struct of a dot product */
static cublasStatus_t dot_of(cublasHandle_t h, int size, int n, const void *x,
                             int incx, const void *y, int incy, void *result)
{
    struct call c = {.what = DOT, .size = size, .batch = 1, .result = result};

    if (!h)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    c.a = vector(x, n, incx);
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
        return dot_of(h, sizeof(T), n, x, incx, y, incy, out);              \
    }

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

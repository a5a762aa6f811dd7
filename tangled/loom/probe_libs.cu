/* probe_libs: what cuBLAS and cuRAND must give, on Loom and on a GPU. */
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <math.h>
#include <stdio.h>

#include "stack/cuda_check.h"
#include "tour/check.h"
#include "tour/rng.h"

/* check the status of a call */
#define BLAS(call)                                             \
    do {                                                       \
        cublasStatus_t s = (call);                             \
        CHECK(s == CUBLAS_STATUS_SUCCESS, "%s: %d", #call, s); \
    } while (0)
static cublasHandle_t blas;
static uint64_t rng = 5;

/* make matrices of whole numbers */
struct matrix {
    int rows, columns, ld;
    float *host, *device;
};
static struct matrix make(int rows, int columns, int pad)
{
    struct matrix m = {rows, columns, rows + pad, NULL, NULL};
    size_t bytes = (size_t)m.ld * columns * sizeof(float);

    m.host = (float *)check_alloc((size_t)m.ld * columns, sizeof(float));
    for (int i = 0; i < m.ld * columns; i++)
        m.host[i] =
            i % m.ld < rows ? (float)((int)(rng_u64(&rng) % 9) - 4) : NAN;
    CUDA_CHECK(cudaMalloc(&m.device, bytes));
    CUDA_CHECK(cudaMemcpy(m.device, m.host, bytes, cudaMemcpyHostToDevice));
    return m;
}
static float at(const struct matrix *m, int t, int i, int j)
{
    return m->host[t ? j + (size_t)i * m->ld : i + (size_t)j * m->ld];
}

/* compare and drop matrices */
/* m->host holds what must be there; padding must still be NaN. */
static void compare(const struct matrix *m, const char *what)
{
    int n = m->ld * m->columns;
    float *got = (float *)check_alloc(n, sizeof *got);

    CUDA_CHECK(
        cudaMemcpy(got, m->device, n * sizeof *got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(got[i] == m->host[i] || (isnan(got[i]) && isnan(m->host[i])),
              "%s: element %d,%d is %g, not %g", what, i % m->ld, i / m->ld,
              got[i], m->host[i]);
    free(got);
}
static void drop(struct matrix *m)
{
    CUDA_CHECK(cudaFree(m->device));
    free(m->host);
}

/* try what cuBLAS does */

/* try products */
static void try_product(int ta, int tb, int m, int n, int k, float alpha,
                        float beta)
{
    struct matrix a = make(ta ? k : m, ta ? m : k, 2);
    struct matrix b = make(tb ? n : k, tb ? k : n, 1);
    struct matrix c = make(m, n, 3);

    if (beta == 0)
        CUDA_CHECK(cudaMemset(c.device, 0xff, (size_t)c.ld * n * 4));
    BLAS(cublasSgemm(blas, (cublasOperation_t)ta, (cublasOperation_t)tb, m, n,
                     k, &alpha, a.device, a.ld, b.device, b.ld, &beta, c.device,
                     c.ld));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            float *to = &c.host[i + (size_t)j * c.ld], sum = 0;

            for (int l = 0; l < k; l++)
                sum += at(&a, ta, i, l) * at(&b, tb, l, j);
            *to = alpha * sum + (beta ? beta * *to : 0);
        }
    compare(&c, "a product");
    drop(&a), drop(&b), drop(&c);
}

/* try a batch */
static void try_batch(void)
{
    enum { N = 5, BATCH = 3 };
    struct matrix a = make(N, N, 0), b = make(N, N * BATCH, 0);
    struct matrix c = make(N, N * BATCH, 0);
    const float one = 1, zero = 0;

    BLAS(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N,
                                   &one, a.device, N, 0, b.device, N, N * N,
                                   &zero, c.device, N, N * N, BATCH));
    for (int j = 0; j < N * BATCH; j++)
        for (int i = 0; i < N; i++) {
            float sum = 0;

            for (int l = 0; l < N; l++)
                sum += at(&a, 0, i, l) * at(&b, 0, l, j);
            c.host[i + j * N] = sum;
        }
    compare(&c, "a batch");
    drop(&a), drop(&b), drop(&c);
}

/* try many products */
static void try_products(void)
{
    static const int size[][3] = {
        {1, 1, 1}, {3, 5, 7}, {17, 1, 33}, {64, 31, 9}, {2, 65, 129}};

    for (int t = 0; t < 4; t++)
        for (int i = 0; i < 5; i++)
            for (int f = 0; f < 3; f++)
                try_product(t & 1, t >> 1, size[i][0], size[i][1], size[i][2],
                            (float)(2 - f), (float)(f - 1));
    try_product(0, 0, 4, 4, 0, 1, 2); /* an empty sum: C is scaled */
    try_batch();
}

/* try sums of matrices */
static void try_sum(int ta, int tb, int m, int n, float alpha, float beta)
{
    struct matrix a = make(ta ? n : m, ta ? m : n, 1);
    struct matrix b = make(tb ? n : m, tb ? m : n, 2);
    struct matrix c = make(m, n, 0);

    BLAS(cublasSgeam(blas, (cublasOperation_t)ta, (cublasOperation_t)tb, m, n,
                     &alpha, a.device, a.ld, &beta, beta ? b.device : NULL,
                     b.ld, c.device, c.ld));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            c.host[i + j * c.ld] =
                alpha * at(&a, ta, i, j) + (beta ? beta * at(&b, tb, i, j) : 0);
    compare(&c, "a sum");
    drop(&a), drop(&b), drop(&c);
}
static void try_sums(void)
{
    for (int t = 0; t < 4; t++) {
        try_sum(t & 1, t >> 1, 7, 12, 2, -3);
        try_sum(t & 1, t >> 1, 33, 5, 1, 0);
    }
}

/* try vectors */
static void try_vectors(void)
{
    enum { N = 100 };
    struct matrix x = make(1, N, 1), y = make(1, N, 2);
    float three = 3, dot, sum = 0;

    for (int i = 0; i < N; i++)
        sum += at(&x, 0, 0, i) * at(&y, 0, 0, i);
    BLAS(cublasSdot(blas, N, x.device, 2, y.device, 3, &dot));
    CHECK(dot == sum, "the dot product is %g, not %g", dot, sum);
    BLAS(cublasSaxpy(blas, N, &three, x.device, 2, y.device, 3));
    BLAS(cublasSscal(blas, N, &three, x.device, 2));
    for (int i = 0; i < N; i++) {
        y.host[3 * i] += 3 * x.host[2 * i];
        x.host[2 * i] *= 3;
    }
    compare(&x, "scal");
    compare(&y, "axpy");
    BLAS(cublasSaxpy(blas, 0, &three, NULL, 1, NULL, 1));
    drop(&x), drop(&y);
}

/* try what cuBLAS refuses */
static void try_refusals(void)
{
    struct matrix a = make(4, 4, 0);
    const float one = 1;
    cublasStatus_t s;

    s = cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a.device, 3,
                    a.device, 4, &one, a.device, 4);
    CHECK(s == CUBLAS_STATUS_INVALID_VALUE, "a column that is too long: %d", s);
    s = cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, -1, 4, 4, &one, a.device, 4,
                    a.device, 4, &one, a.device, 4);
    CHECK(s == CUBLAS_STATUS_INVALID_VALUE, "a size below zero: %d", s);
    s = cublasSetStream(NULL, 0);
    CHECK(s == CUBLAS_STATUS_NOT_INITIALIZED, "no handle: %d", s);
    compare(&a, "a call that was refused");
    drop(&a);
}

/* try factors on the device */
__global__ void set_factors(float *f)
{
    f[0] = 2;
    f[1] = -1;
}

static void try_device_factors(void)
{
    struct matrix a = make(6, 6, 0), b = make(6, 6, 0), c = make(6, 6, 0);
    float *f;

    CUDA_CHECK(cudaMalloc(&f, 2 * sizeof *f));
    BLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    set_factors<<<1, 1>>>(f);
    BLAS(cublasSgeam(blas, CUBLAS_OP_N, CUBLAS_OP_T, 6, 6, f, a.device, 6,
                     f + 1, b.device, 6, c.device, 6));
    for (int i = 0; i < 36; i++)
        c.host[i] = 2 * a.host[i] - at(&b, 1, i % 6, i / 6);
    compare(&c, "factors on the device");
    BLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
    CUDA_CHECK(cudaFree(f));
    drop(&a), drop(&b), drop(&c);
}

/* try a product in a graph */
static void try_graph(void)
{
    struct matrix a = make(4, 4, 0), c = make(4, 4, 0);
    const float one = 1;
    cudaStream_t stream;
    cudaGraphExec_t exec;
    cudaGraph_t graph;

    CUDA_CHECK(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(blas, stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    BLAS(cublasSaxpy(blas, 16, &one, a.device, 1, c.device, 1));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    compare(&c, "a sum that was only captured");
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++)
        CUDA_CHECK(cudaGraphLaunch(exec, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 16; i++)
        c.host[i] += 2 * a.host[i];
    compare(&c, "a sum that was launched twice");
    BLAS(cublasSetStream(blas, 0));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaStreamDestroy(stream));
    drop(&a), drop(&c);
}

/* try copies */
static void try_copy(cudaStream_t later, int rows, int columns)
{
    struct matrix a = make(rows, columns, 2), b = make(rows, columns, 1);
    struct matrix back = make(rows, columns, 0);
    float *h = back.host, *d = b.device;

    if (rows == 1 && later) {
        BLAS(cublasSetVectorAsync(columns, 4, a.host, a.ld, d, b.ld, later));
        BLAS(cublasGetVectorAsync(columns, 4, d, b.ld, h, 1, later));
    } else if (rows == 1) {
        BLAS(cublasSetVector(columns, 4, a.host, a.ld, d, b.ld));
        BLAS(cublasGetVector(columns, 4, d, b.ld, h, 1));
    } else if (later) {
        BLAS(cublasSetMatrixAsync(rows, columns, 4, a.host, a.ld, d, b.ld,
                                  later));
        BLAS(cublasGetMatrixAsync(rows, columns, 4, d, b.ld, h, rows, later));
    } else {
        BLAS(cublasSetMatrix(rows, columns, 4, a.host, a.ld, d, b.ld));
        BLAS(cublasGetMatrix(rows, columns, 4, d, b.ld, h, rows));
    }
    if (later)
        CUDA_CHECK(cudaStreamSynchronize(later));
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            b.host[i + j * b.ld] = at(&a, 0, i, j);
            CHECK(at(&back, 0, i, j) == at(&a, 0, i, j),
                  "%d,%d came back as %g", i, j, at(&back, 0, i, j));
        }
    compare(&b, "a copy");
    drop(&a), drop(&b), drop(&back);
}
static void try_captured(cudaStream_t stream)
{
    struct matrix a = make(2, 3, 1), b = make(2, 3, 0);
    float back[6] = {9, 9, 9, 9, 9, 9};
    cudaGraphExec_t exec;
    cudaGraph_t graph;

    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    BLAS(cublasSetMatrixAsync(2, 3, 4, a.host, a.ld, b.device, 2, stream));
    BLAS(cublasGetVectorAsync(6, 4, b.device, 1, back, 1, stream));
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    compare(&b, "a copy that was only captured");
    CHECK(back[0] == 9, "%g came back before", back[0]);
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(exec, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 6; i++) {
        b.host[i] = at(&a, 0, i % 2, i / 2);
        CHECK(back[i] == b.host[i], "element %d is %g", i, back[i]);
    }
    compare(&b, "a copy in a graph");
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    drop(&a), drop(&b);
}
static void try_copies(void)
{
    cudaStream_t stream;
    float x = 0;

    CUDA_CHECK(cudaStreamCreate(&stream));
    for (int later = 0; later < 2; later++) {
        try_copy(later ? stream : NULL, 1, 50);
        try_copy(later ? stream : NULL, 3, 7);
        try_copy(later ? stream : NULL, 64, 1);
    }
    try_captured(stream);
    CUDA_CHECK(cudaStreamDestroy(stream));
    CHECK(cublasGetVector(1, 0, &x, 1, &x, 1) == CUBLAS_STATUS_INVALID_VALUE,
          "%s", "elements without a byte");
    CHECK(cublasSetVector(1, 4, &x, 0, &x, 1) == CUBLAS_STATUS_INVALID_VALUE,
          "%s", "a vector whose elements lie on each other");
    CHECK(cublasGetVector(1, 4, &x, 1, &x, 0) == CUBLAS_STATUS_INVALID_VALUE,
          "%s", "a copy whose elements lie on each other");
    CHECK(cublasSetMatrix(-1, 1, 4, &x, 1, &x, 1) ==
              CUBLAS_STATUS_INVALID_VALUE,
          "%s", "columns of -1 elements");
    CHECK(cublasSetMatrix(1, -1, 4, &x, 1, &x, 1) ==
              CUBLAS_STATUS_INVALID_VALUE,
          "%s", "-1 columns");
    CHECK(cublasSetVector(-1, 4, &x, 1, &x, 1) == CUBLAS_STATUS_MAPPING_ERROR,
          "%s", "a vector of -1 elements");
    CHECK(cublasGetVectorAsync(-1, 4, &x, 1, &x, 1, NULL) ==
              CUBLAS_STATUS_MAPPING_ERROR,
          "%s", "a vector of -1 elements, later");
    CHECK(cublasSetMatrix(2, 1, 4, &x, 1, &x, 2) == CUBLAS_STATUS_MAPPING_ERROR,
          "%s", "columns of two elements, one apart");
    BLAS(cublasSetVector(0, 4, &x, 1, &x, 1));
}

/* try types and places */
enum { SIDE = 8, AREA = SIDE * SIDE };

static int value_at(int i, int j)
{
    return (3 * i + 5 * j) % 7 - 3;
}

/* Element (i, j) of op(A) B, where B is op(A)'s transpose or not. */
static int product_at(int i, int j, int ta)
{
    int sum = 0;

    for (int l = 0; l < SIDE; l++)
        sum += (ta ? value_at(l, i) : value_at(i, l)) * value_at(l, j);
    return sum;
}

static void *managed(size_t bytes)
{
    void *p;

    CUDA_CHECK(cudaMallocManaged(&p, bytes));
    return p;
}

/* try halves in cuBLAS */
static void try_halves(void)
{
    __half *a = (__half *)managed(AREA * 2), *c = (__half *)managed(AREA * 4);
    __half one = __float2half(1), minus = __float2half(-1);
    __half **place = (__half **)managed(6 * sizeof *place);
    cublasMath_t mode;

    BLAS(cublasSetMathMode(blas, CUBLAS_TENSOR_OP_MATH));
    BLAS(cublasGetMathMode(blas, &mode));
    CHECK(mode == CUBLAS_TENSOR_OP_MATH, "the mode is %d", mode);
    BLAS(cublasSetMathMode(blas, CUBLAS_DEFAULT_MATH));
    for (int i = 0; i < AREA; i++) {
        a[i] = __float2half((float)value_at(i % SIDE, i / SIDE));
        c[i] = c[AREA + i] = one;
    }
    BLAS(cublasHgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, SIDE, &one, a,
                     SIDE, a, SIDE, &minus, c, SIDE));
    place[0] = place[1] = place[2] = place[3] = a;
    place[4] = c + AREA; /* two products, backwards */
    place[5] = c;
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < AREA; i++)
        CHECK(__half2float(c[i]) == product_at(i % SIDE, i / SIDE, 1) - 1,
              "element %d in halves: %g", i, __half2float(c[i]));
    BLAS(cublasHgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, SIDE, SIDE, SIDE,
                            &one, place, SIDE, place + 2, SIDE, &minus,
                            place + 4, SIDE, 2));
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 2 * AREA; i++) {
        int e = i % AREA, x = e % SIDE, y = e / SIDE;
        int was = i < AREA ? product_at(x, y, 1) - 1 : 1;

        CHECK(__half2float(c[i]) == product_at(x, y, 0) - was,
              "element %d of a batch: %g", i, __half2float(c[i]));
    }
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(c));
    CUDA_CHECK(cudaFree(place));
}

/* try bytes */
static void try_bytes(void)
{
    signed char *a = (signed char *)managed(AREA);
    int *c = (int *)managed(AREA * sizeof *c), one = 1, two = 2;

    for (int i = 0; i < AREA; i++) {
        a[i] = (signed char)value_at(i % SIDE, i / SIDE);
        c[i] = 1 << 24 | 1; /* more than a float holds */
    }
    BLAS(cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, SIDE, &two, a,
                      CUDA_R_8I, SIDE, a, CUDA_R_8I, SIDE, &one, c, CUDA_R_32I,
                      SIDE, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < AREA; i++)
        CHECK(c[i] == 2 * product_at(i % SIDE, i / SIDE, 1) + (1 << 24 | 1),
              "element %d of bytes: %d", i, c[i]);
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(c));
}

/* try random words */
enum { SEQUENCES = 4 };

__global__ void draw_words(unsigned *word, int *bad)
{
    const unsigned long long part = 0x3123456789abcdefull;
    unsigned t = threadIdx.x, w;
    curandState a, b;

    curand_init(1234, t, 5, &a);
    word[t] = curand(&a);
    b = a;
    for (unsigned i = 0; i < 37 * t; i++)
        curand(&a);
    skipahead(37 * t, &b);
    bad[t] = curand(&a) != curand(&b);
    for (unsigned i = 0; i < t; i++) {
        skipahead(part, &a);
        skipahead_sequence(part, &a);
    }
    skipahead(part * t, &b);
    skipahead_sequence(part * t, &b);
    bad[t] += curand(&a) != curand(&b);
    for (int i = 0; i < 16; i++)
        skipahead(1ull << 63, &a);
    skipahead_sequence(1, &b);
    w = curand(&a);
    bad[t] += w != curand(&b);
    bad[t] += curand(&a) - w == 362437; /* as if all else were 0 */
}

static void try_words(void)
{
    const unsigned want[SEQUENCES] = {2501467243u, 75263415u, 839904678u,
                                      3857148075u};
    unsigned *word = (unsigned *)managed(sizeof want);
    int *bad = (int *)managed(SEQUENCES * sizeof *bad);

    draw_words<<<1, SEQUENCES>>>(word, bad);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < SEQUENCES; i++) {
        CHECK(word[i] == want[i], "sequence %d begins with %u, not %u", i,
              word[i], want[i]);
        CHECK(bad[i] == 0, "sequence %d: %d words differ", i, bad[i]);
    }
    CUDA_CHECK(cudaFree(word));
    CUDA_CHECK(cudaFree(bad));
}

int main(void)
{
    BLAS(cublasCreate(&blas));
    try_products();
    try_sums();
    try_vectors();
    try_refusals();
    try_device_factors();
    try_graph();
    try_halves();
    try_bytes();
    try_copies();
    try_words();
    BLAS(cublasDestroy(blas));
    printf("ok: products, sums, vectors and refusals\n");
}

/* lt_any.cuh: row-major products of any types by cuBLASLt. On the GPU alone. */
#ifndef TENSOR_LT_ANY_CUH
#define TENSOR_LT_ANY_CUH

#include <cublasLt.h>

#include "tensor/lt.cuh"

/* describe a product to cuBLASLt */
/* C = A op(B), row-major and without gaps; A is m x k, op(B) k x n. */
struct lt_call {
    cublasLtHandle_t h;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algo;
    void *place; /* LT_BYTES of workspace */
};

struct lt_kind {
    cudaDataType_t factors, sums; /* types of A and B, and of C */
    cublasComputeType_t compute;
    char fast; /* 1: FP8 may add with fewer bits */
    /* n numbers of C's type: C = max(0, A op(B) + bias); or NULL */
    const void *bias;
};

/* make a product of cuBLASLt */
static inline void lt_set(cublasLtMatmulDesc_t of,
                          cublasLtMatmulDescAttributes_t which, const void *to,
                          size_t bytes)
{
    CUBLAS_CHECK(cublasLtMatmulDescSetAttribute(of, which, to, bytes));
}

/* tb: 'N', or 'T' if B is stored as n x k, which FP8 wants. `place` has LT_BYTES. */
static inline struct lt_call lt_make(const struct lt_kind *kind, char tb, int m,
                                     int n, int k, void *place)
{
    struct lt_call p = {};
    cublasLtMatmulPreference_t wish;
    cublasLtMatmulHeuristicResult_t got;
    cublasOperation_t op = tb == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
    cublasLtEpilogue_t end = CUBLASLT_EPILOGUE_RELU_BIAS;
    size_t bytes = LT_BYTES;
    uint64_t rows = (uint64_t)(tb == 'N' ? n : k);
    uint64_t cols = (uint64_t)(tb == 'N' ? k : n);
    int count = 0;

    p.place = place;
    CUBLAS_CHECK(cublasLtCreate(&p.h));
    CUBLAS_CHECK(
        cublasLtMatmulDescCreate(&p.product, kind->compute, CUDA_R_32F));
    lt_set(p.product, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof op);
    if (kind->fast)
        lt_set(p.product, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &kind->fast, 1);
    if (kind->bias) {
        lt_set(p.product, CUBLASLT_MATMUL_DESC_EPILOGUE, &end, sizeof end);
        lt_set(p.product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &kind->bias,
               sizeof kind->bias);
    }
    CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&p.b, kind->factors, rows, cols,
                                            (int64_t)rows));
    CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&p.a, kind->factors, (uint64_t)k,
                                            (uint64_t)m, k));
    CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&p.c, kind->sums, (uint64_t)n,
                                            (uint64_t)m, n));
    CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(&wish));
    CUBLAS_CHECK(cublasLtMatmulPreferenceSetAttribute(
        wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes));
    CUBLAS_CHECK(cublasLtMatmulAlgoGetHeuristic(p.h, p.product, p.b, p.a, p.c,
                                                p.c, wish, 1, &got, &count));
    CHECK(count == 1, "cuBLASLt has no algorithm for this product");
    CUBLAS_CHECK(cublasLtMatmulPreferenceDestroy(wish));
    p.algo = got.algo;
    return p;
}

/* run a product of cuBLASLt */
/* C = A op(B) + beta C, queued in the stream. */
static inline void lt_call_run(const struct lt_call *p, const void *a,
                               const void *b, float beta, void *c,
                               cudaStream_t stream)
{
    float one = 1;

    CUBLAS_CHECK(cublasLtMatmul(p->h, p->product, &one, b, p->b, a, p->a, &beta,
                                c, p->c, c, p->c, &p->algo, p->place, LT_BYTES,
                                stream));
}

static inline void lt_free(const struct lt_call *p)
{
    CUBLAS_CHECK(cublasLtMatrixLayoutDestroy(p->a));
    CUBLAS_CHECK(cublasLtMatrixLayoutDestroy(p->b));
    CUBLAS_CHECK(cublasLtMatrixLayoutDestroy(p->c));
    CUBLAS_CHECK(cublasLtMatmulDescDestroy(p->product));
    CUBLAS_CHECK(cublasLtDestroy(p->h));
}

#endif

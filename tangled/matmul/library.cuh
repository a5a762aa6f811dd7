/* library.cuh: row-major matrix products by cuBLAS. */
#ifndef MATMUL_LIBRARY_CUH
#define MATMUL_LIBRARY_CUH

#include <cublas_v2.h>

#include "matmul/args.h"
#include "stack/cuda_check.h"

/* check a call of cuBLAS */
/* CUBLAS_CHECK(call): stops the program if the call failed. */
#define CUBLAS_CHECK(call)                                              \
    do {                                                                \
        cublasStatus_t status_ = (call);                                \
                                                                        \
        CHECK(status_ == CUBLAS_STATUS_SUCCESS, "%s: status %d", #call, \
              (int)status_);                                            \
    } while (0)

/* ask cuBLAS for its version */
/* As bench_library wants it. */
static inline int matmul_library_version(cublasHandle_t h)
{
    int version;

    CUBLAS_CHECK(cublasGetVersion(h, &version));
    return version;
}

/* multiply by cuBLAS */
/* As matmul_tiled. A handle serves one host thread at a time. */
static inline void matmul_library(cublasHandle_t h, char ta, char tb, int m,
                                  int n, int k, float alpha, const float *a,
                                  int lda, const float *b, int ldb, float beta,
                                  float *c, int ldc, cudaStream_t stream)
{
    cublasOperation_t op_a = ta == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
    cublasOperation_t op_b = tb == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;

    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    if (m == 0 || n == 0)
        return;
    /* call cuBLAS with the operands exchanged */
    CUBLAS_CHECK(cublasSetStream(h, stream));
    CUBLAS_CHECK(cublasSgemm(h, op_b, op_a, n, m, k, &alpha, b,
                             ldb > 0 ? ldb : 1, a, lda > 0 ? lda : 1, &beta, c,
                             ldc));
}

#endif

/* cublas_v2.h: the part of cuBLAS that the book calls, served by OpenBLAS.
   Matrices are stored by columns; ld is the distance between two columns, in
   elements. Names and numbers are those of CUDA 13. */
#ifndef LOOM_CUBLAS_V2_H
#define LOOM_CUBLAS_V2_H

#include "loom/cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* define the types of cuBLAS */
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_EXECUTION_FAILED = 13
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum {
    CUBLAS_POINTER_MODE_HOST,
    CUBLAS_POINTER_MODE_DEVICE
} cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;

/* declare the handle of cuBLAS */
typedef struct cublasContext *cublasHandle_t;

cublasStatus_t cublasCreate(cublasHandle_t *h);
cublasStatus_t cublasDestroy(cublasHandle_t h);
cublasStatus_t cublasGetVersion(cublasHandle_t h, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t h, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t h, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t h,
                                    cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t h, cublasMath_t mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *p, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);

/* declare the operations */
#define LOOM_BLAS(S, T)                                                        \
    cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T *alpha,    \
                                   const T *x, int incx, T *y, int incy);      \
    cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T *alpha,    \
                                   T *x, int incx);                            \
    cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T *x,         \
                                  int incx, const T *y, int incy, T *result);  \
    cublasStatus_t cublas##S##geam(                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, const T *alpha, const T *A, int lda, const T *beta, const T *B, \
        int ldb, T *C, int ldc);                                               \
    cublasStatus_t cublas##S##gemm(                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, int k, const T *alpha, const T *A, int lda, const T *B,         \
        int ldb, const T *beta, T *C, int ldc);                                \
    cublasStatus_t cublas##S##gemmStridedBatched(                              \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, int k, const T *alpha, const T *A, int lda, long long stride_a, \
        const T *B, int ldb, long long stride_b, const T *beta, T *C, int ldc, \
        long long stride_c, int batch);
LOOM_BLAS(S, float)
LOOM_BLAS(D, double)
#undef LOOM_BLAS
#ifdef __cplusplus
}
#endif
#endif

/* cublas_v2.h: the part of cuBLAS that the book calls, served by OpenBLAS.
   Matrices are stored by columns; ld is the distance between two columns, in
   elements. Names and numbers are those of CUDA 13. */
#ifndef LOOM_CUBLAS_V2_H
#define LOOM_CUBLAS_V2_H

#include "loom/cuda_runtime_api.h"
#ifdef __CUDACC__ /* as NVIDIA's header does */
#include "loom/cuComplex.h"
#include "loom/cuda_fp16.h"
#endif
struct __half;

#ifdef __cplusplus
extern "C" {
#endif

/* define the types of cuBLAS */
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum {
    CUBLAS_POINTER_MODE_HOST,
    CUBLAS_POINTER_MODE_DEVICE
} cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER,
    CUBLAS_FILL_MODE_UPPER
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;

/* define the types of numbers */
typedef enum {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_C_16F = 6,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_32U = 12,
    CUDA_R_16BF = 14,
    CUDA_R_8F_E4M3 = 28,
    CUDA_R_8F_E5M2 = 29
} cudaDataType_t;
typedef cudaDataType_t cudaDataType;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0, /* up to 23, and 100 to 115: without effect */
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100
} cublasGemmAlgo_t;
#define CUBLAS_VERSION 130000
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0

/* declare the handle of cuBLAS */
typedef struct cublasContext *cublasHandle_t;

cublasStatus_t cublasCreate(cublasHandle_t *h);
cublasStatus_t cublasDestroy(cublasHandle_t h);
cublasStatus_t cublasGetVersion(cublasHandle_t h, int *version);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t h, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t h, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t h,
                                    cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t h, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t h, cublasMath_t *mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *p, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* Copies between the host and the device, elements of size bytes. */
cublasStatus_t cublasSetVector(int n, int size, const void *x, int incx,
                               void *y, int incy);
cublasStatus_t cublasGetVector(int n, int size, const void *x, int incx,
                               void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void *A,
                               int lda, void *B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void *A,
                               int lda, void *B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *x, int incx,
                                    void *y, int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *x, int incx,
                                    void *y, int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void *A,
                                    int lda, void *B, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void *A,
                                    int lda, void *B, int ldb,
                                    cudaStream_t stream);

/* declare products of any type */
/* C = alpha op(A) op(B) + beta C, computed in float or double, of bytes in int; A
   and B of one type, C of the same or float, of bytes int or float. alpha and beta
   are of the type in which it is computed. In halves (compute 16F) is in float
   here, rounded at the end. */
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
    int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
    long long stride_a, const void *B, cudaDataType Btype, int ldb,
    long long stride_b, const void *beta, void *C, cudaDataType Ctype, int ldc,
    long long stride_c, int batch, cublasComputeType_t compute,
    cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t ta,
                            cublasOperation_t tb, int m, int n, int k,
                            const void *alpha, const void *A,
                            cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta,
                            void *C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algo);

/* A, B and C are arrays, in the device's memory, of where the matrices are. */
cublasStatus_t cublasGemmBatchedEx(
    cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
    int k, const void *alpha, const void *const A[], cudaDataType Atype,
    int lda, const void *const B[], cudaDataType Btype, int ldb,
    const void *beta, void *const C[], cudaDataType Ctype, int ldc, int batch,
    cublasComputeType_t compute, cublasGemmAlgo_t algo);

/* declare the operations */
#define LOOM_BLAS(S, T)                                                        \
    cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T *alpha,    \
                                   const T *x, int incx, T *y, int incy);      \
    cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T *alpha,    \
                                   T *x, int incx);                            \
    cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T *x,         \
                                  int incx, const T *y, int incy, T *result);  \
    cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T *x,        \
                                   int incx, T *y, int incy);                  \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t h, int n, const T *x,        \
                                   int incx, T *result);                       \
    cublasStatus_t cublas##S##asum(cublasHandle_t h, int n, const T *x,        \
                                   int incx, T *result);                       \
    cublasStatus_t cublasI##S##max(cublasHandle_t h, int n, const T *x,        \
                                   int incx, int *result);                     \
    cublasStatus_t cublasI##S##min(cublasHandle_t h, int n, const T *x,        \
                                   int incx, int *result);                     \
    cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t ta,     \
                                   int m, int n, const T *alpha, const T *A,   \
                                   int lda, const T *x, int incx,              \
                                   const T *beta, T *y, int incy);             \
    cublasStatus_t cublas##S##ger(cublasHandle_t h, int m, int n,              \
                                  const T *alpha, const T *x, int incx,        \
                                  const T *y, int incy, T *A, int lda);        \
    cublasStatus_t cublas##S##geam(                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, const T *alpha, const T *A, int lda, const T *beta, const T *B, \
        int ldb, T *C, int ldc);
#define LOOM_GEMM(S, T)                                                        \
    cublasStatus_t cublas##S##gemm(                                            \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, int k, const T *alpha, const T *A, int lda, const T *B,         \
        int ldb, const T *beta, T *C, int ldc);                                \
    cublasStatus_t cublas##S##gemmStridedBatched(                              \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, int k, const T *alpha, const T *A, int lda, long long stride_a, \
        const T *B, int ldb, long long stride_b, const T *beta, T *C, int ldc, \
        long long stride_c, int batch);                                        \
    cublasStatus_t cublas##S##gemmBatched(                                     \
        cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,   \
        int n, int k, const T *alpha, const T *const A[], int lda,             \
        const T *const B[], int ldb, const T *beta, T *const C[], int ldc,     \
        int batch);
#define cublasISmax cublasIsamax
#define cublasIDmax cublasIdamax
#define cublasISmin cublasIsamin
#define cublasIDmin cublasIdamin
LOOM_BLAS(S, float)
LOOM_BLAS(D, double)
LOOM_GEMM(S, float)
LOOM_GEMM(D, double)
LOOM_GEMM(H, struct __half)
#undef LOOM_BLAS
#undef LOOM_GEMM
#ifdef __cplusplus
}
#endif
#endif

/* library.cuh: products of matrices of bf16 by cuBLAS, row-major. */
#ifndef TENSOR_LIBRARY_CUH
#define TENSOR_LIBRARY_CUH

#include "matmul/library.cuh"
#include "tensor/product.cuh"

/* multiply bf16 by cuBLAS */
/* As bgemm, by cuBLAS, whose stream and workspace have been set. */
static inline void tensor_library(cublasHandle_t h, char ta, char tb, int m,
                                  int n, int k, float alpha, const bf16 *a,
                                  int lda, const bf16 *b, int ldb, float beta,
                                  bf16 *c, int ldc, cudaStream_t stream)
{
    cublasOperation_t op_a = ta == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
    cublasOperation_t op_b = tb == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;

    if (m == 0 || n == 0)
        return;
    CUBLAS_CHECK(cublasGemmEx(h, op_b, op_a, n, m, k, &alpha, b, CUDA_R_16BF,
                              ldb, a, CUDA_R_16BF, lda, &beta, c, CUDA_R_16BF,
                              ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    (void)stream;
}

#endif

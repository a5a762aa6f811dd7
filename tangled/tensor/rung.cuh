/* rung.cuh: what a way to multiply matrices of bf16 looks like. */
#ifndef TENSOR_RUNG_CUH
#define TENSOR_RUNG_CUH

#include "tensor/launch.cuh"
#include "tensor/library.cuh"

static struct {
    struct bgemm h;
    cublasHandle_t blas;
} ladder;

/* The arguments that all ways have. */
#define RUNG_TAKES                                                     \
    char ta, char tb, int m, int n, int k, float alpha, const bf16 *a, \
        int lda, const bf16 *b, int ldb, float beta, bf16 *c, int ldc, \
        cudaStream_t stream
#define RUNG_PASSES ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc

static inline void by_library16(RUNG_TAKES)
{
    tensor_library(ladder.blas, RUNG_PASSES, stream);
}

#endif

/* library: the same products by cuBLAS. */
#include "matmul/library.cuh"
#include "matmul/trial.cuh"

static cublasHandle_t blas;

static void by_library(char ta, char tb, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb,
                       float beta, float *c, int ldc, cudaStream_t stream)
{
    matmul_library(blas, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                   stream);
}

int main(int argc, char **argv)
{
    static const struct way ways[] = {{"library", by_library}, {NULL, NULL}};
    int bad;

    CUBLAS_CHECK(cublasCreate(&blas));
    bad = try_ways(argc, argv, ways);
    CUBLAS_CHECK(cublasDestroy(blas));
    return bad;
}

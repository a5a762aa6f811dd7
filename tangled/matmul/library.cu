/* library: products of every kind by cuBLAS, beside the reference. */
#include "matmul/library.cuh"
#include "matmul/trial.cuh"

static cublasHandle_t blas;

/* multiply with the one handle */
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
    int status;

    CUBLAS_CHECK(cublasCreate(&blas));
    status = try_ways(argc, argv, ways);
    CUBLAS_CHECK(cublasDestroy(blas));
    return status;
}

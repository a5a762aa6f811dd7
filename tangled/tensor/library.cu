/* library: products of matrices of bf16 by cuBLAS, beside the reference. */
#include "tensor/rung.cuh"
#include "tensor/trial.cuh"

int main(int argc, char **argv)
{
    static const struct way16 ways[] = {{"library", by_library16, 0},
                                        {NULL, NULL, 0}};
    int status;

    CUBLAS_CHECK(cublasCreate(&ladder.blas));
    status = try_ways16(argc, argv, ways, 0);
    CUBLAS_CHECK(cublasDestroy(ladder.blas));
    return status;
}

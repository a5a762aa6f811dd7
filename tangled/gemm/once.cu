/* once: each kernel for large products, once, for a profiler. */
#include "gemm/product.cuh"
#include "gemm/tries.cuh"
#include "tour/args.h"

__global__ void mark(void)
{
}

/* multiply by the library */
static inline void by_library(char ta, char tb, int m, int n, int k,
                              float alpha, const float *a, int lda,
                              const float *b, int ldb, float beta, float *c,
                              int ldc, cudaStream_t)
{
    cublasOperation_t op_a = ta == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;
    cublasOperation_t op_b = tb == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T;

    CUBLAS_CHECK(cublasSgemm(work.blas, op_b, op_a, n, m, k, &alpha, b, ldb, a,
                             lda, &beta, c, ldc));
}

/* list the rungs that are profiled */
static const struct {
    const char *name;
    void (*run)(char ta, char tb, int m, int n, int k, float alpha,
                const float *a, int lda, const float *b, int ldb, float beta,
                float *c, int ldc, cudaStream_t stream);
} once[] = {{"library", by_library},   {"tiled", matmul_tiled},
            {"column", gemm_column},   {"square", gemm_square},
            {"vectors", gemm_vectors}, {"ahead", gemm_ahead},
            {"warps", gemm_warps},     {"wide", gemm_wide},
            {"snake", gemm_snake},     {"columns", gemm_columns},
            {"pairs", gemm_pairs},     {"loose", gemm_loose},
            {"bulk", gemm_bulk},       {"bulk_wide", gemm_bulk_wide}};

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 4096, 4, 8192)};
    int n;

    args_parse(argc, argv, "each kernel once", args, ARG_COUNT(args));
    n = (int)args[0].value;
    work.h = sgemm_make();
    CUBLAS_CHECK(cublasCreate(&work.blas));
    CUBLAS_CHECK(cublasSetStream(work.blas, cudaStreamPerThread));
    shape_open({'N', 'N', n, n, n});
    for (size_t r = 0; r < sizeof once / sizeof *once; r++) {
        mark<<<1, 1, 0, cudaStreamPerThread>>>();
        once[r].run('N', 'N', n, n, n, 1, work.x, n, work.x + work.a, n, 0,
                    work.x + work.a + work.b, n, cudaStreamPerThread);
        printf("%s\n", once[r].name);
    }
    for (int t = 0; t < TRIES; t++)
        if (!tries[t].small) {
            mark<<<1, 1, 0, cudaStreamPerThread>>>();
            by_try(t, work.h.sums, work.h.room, 'N', 'N', n, n, n, 1, work.x, n,
                   work.x + work.a, n, 0, work.x + work.a + work.b, n,
                   cudaStreamPerThread);
            printf("try_%s\n", tries[t].name);
        }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUBLAS_CHECK(cublasDestroy(work.blas));
    CUDA_CHECK(cudaFree(work.x));
    sgemm_free(&work.h);
    return 0;
}

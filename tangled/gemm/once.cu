/* once: each kernel for large products, once, for a profiler. */
#include "gemm/rungs.cuh"
#include "kernels/fill.cuh"
#include "matmul/library.cuh"
#include "tour/args.h"

static struct {
    cublasHandle_t blas;
} work;

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
} once[] = {{"library", by_library},      {"tiled", matmul_tiled},
            {"column", gemm_column},      {"square", gemm_square},
            {"vectors", gemm_vectors},    {"ahead", gemm_ahead},
            {"warps", gemm_warps},        {"wide", gemm_wide},
            {"snake", gemm_snake},        {"columns", gemm_columns},
            {"pairs", gemm_pairs},        {"bulk", gemm_bulk},
            {"bulk_wide", gemm_bulk_wide}};

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 4096, 4, 8192)};
    cudaStream_t stream = cudaStreamPerThread;
    size_t size;
    float *a, *b, *c;
    int n;

    args_parse(argc, argv, "each kernel once", args, ARG_COUNT(args));
    n = (int)args[0].value;
    size = ceil_div((size_t)n * n, 64) * 64;
    CUBLAS_CHECK(cublasCreate(&work.blas));
    CUBLAS_CHECK(cublasSetStream(work.blas, stream));
    CUDA_CHECK(cudaMalloc((void **)&a, 12 * size));
    random_fill(3 * size, a, 5);
    b = a + size;
    c = b + size;
    for (size_t r = 0; r < sizeof once / sizeof *once; r++) {
        mark<<<1, 1, 0, stream>>>();
        once[r].run('N', 'N', n, n, n, 1, a, n, b, n, 0, c, n, stream);
        printf("%s\n", once[r].name);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUBLAS_CHECK(cublasDestroy(work.blas));
    CUDA_CHECK(cudaFree(a));
    return 0;
}

/* three: a product of floats from three products of bf16, beside one. */
#include "matmul/library.cuh"
#include "tensor/trial.cuh"

enum { N = 100 };

/* split floats in two */
/* x[i] = high[i] + low[i] + at most 2^-16 of it. */
__global__ void split(size_t n, const float *x, bf16 *high, bf16 *low)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    high[i] = __float2bfloat16(x[i]);
    low[i] = __float2bfloat16(x[i] - __bfloat162float(high[i]));
}

/* multiply halves by cuBLAS */
/* C = A B + beta C, N x N, row-major: bf16 times bf16, added in float. */
static void multiply(cublasHandle_t h, const bf16 *a, const bf16 *b, float beta,
                     float *c)
{
    float one = 1;

    CUBLAS_CHECK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, b,
                              CUDA_R_16BF, N, a, CUDA_R_16BF, N, &beta, c,
                              CUDA_R_32F, N, CUBLAS_COMPUTE_32F,
                              CUBLAS_GEMM_DEFAULT));
}

/* The largest error of C, in units of the sums of absolute values. */
static double largest(const struct matrix *c, const double *want,
                      const double *size)
{
    float *got = (float *)check_alloc(c->count, sizeof *got);
    double most = 0;

    CUDA_CHECK(
        cudaMemcpy(got, c->d, N * N * sizeof *got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N * N; i++)
        most = fmax(most, fabs(got[i] - want[i]) / size[i]);
    free(got);
    return most;
}

int main(void)
{
    struct matrix a = matrix_make('N', N, N, 0, RANDOM, 1);
    struct matrix b = matrix_make('N', N, N, 0, RANDOM, 2);
    struct matrix c = matrix_make('N', N, N, 0, NANS, 3);
    const struct trial plain = {1, 0, RANDOM, NANS, 0};
    double *want = wanted('N', 'N', &plain, N, &a, &b, &c, 0);
    double *size = wanted('N', 'N', &plain, N, &a, &b, &c, 1);
    double one, three, bound = 3 * 0x1p-16 + N * 0x1p-23;
    bf16 *x; /* high and low of A, then of B */
    cublasHandle_t h;

    CUBLAS_CHECK(cublasCreate(&h));
    CUDA_CHECK(cudaMalloc((void **)&x, 4 * N * N * sizeof *x));
    split<<<blocks_for(N * N, 256), 256>>>(N * N, a.d, x, x + N * N);
    CUDA_LAUNCH_CHECK();
    split<<<blocks_for(N * N, 256), 256>>>(N * N, b.d, x + 2 * N * N,
                                           x + 3 * N * N);
    CUDA_LAUNCH_CHECK();
    multiply(h, x, x + 2 * N * N, 0, c.d);
    one = largest(&c, want, size);
    multiply(h, x, x + 3 * N * N, 1, c.d);
    multiply(h, x + N * N, x + 2 * N * N, 1, c.d);
    three = largest(&c, want, size);
    CHECK(three <= bound, "three products are off by %g, not %g", three, bound);
    CHECK(one > 50 * three, "one is off by %g, three by %g", one, three);
    printf("ok: one product is off by %.2g of the absolute sum, three by "
           "%.2g\n",
           one, three);
    CUBLAS_CHECK(cublasDestroy(h));
    CUDA_CHECK(cudaFree(x));
    matrix_free(&a);
    matrix_free(&b);
    matrix_free(&c);
    free(want);
    free(size);
    return 0;
}

/* launch.cc: what chapter 13's products tell their kernels and cuBLAS, and what they refuse;
   without a device. parts.h is made of matmul.cuh by tests/matmul.t, which turns
   k<<<g, b>>>(x) into (launched(g, b), k)(x); cublas_v2.h is an empty file there. */
#include "kernels/sizes.h"
#include "matmul/args.h"

#define STACK_CUDA_CHECK_H
#define __device__
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK() printf("; ")
typedef int cudaStream_t;
struct dim3 {
    unsigned x, y;
    dim3(unsigned x, unsigned y) : x(x), y(y) {}
};
static void launched(unsigned grid, dim3 block, size_t bytes, cudaStream_t stream)
{
    printf("%u of %ux%u, %zu, %d: ", grid, block.x, block.y, bytes, stream);
}

#define __global__ static
static struct { unsigned x, y; } threadIdx, blockIdx;
static float __shfl_xor_sync(unsigned mask, float x, int by) { return x + by; }

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS, CUBLAS_OTHER };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
typedef int cublasHandle_t;
static int calls;
static cublasStatus_t called(int good)
{
    if (calls++ > 200) {
        printf("called again and again\n");
        fflush(stdout);
        _Exit(1);
    }
    return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_OTHER;
}
static cublasStatus_t cublasGetVersion(cublasHandle_t h, int *v)
{
    *v = 130201;
    return called(h);
}
static cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t s)
{
    printf("stream %d, ", s);
    return called(h != 2);
}
static cublasStatus_t cublasSgemm(cublasHandle_t h, cublasOperation_t a, cublasOperation_t b, int m, int n, int k,
                                  const float *alpha, const float *x, int ldx, const float *y, int ldy,
                                  const float *beta, float *z, int ldz)
{
    printf("%d%d %dx%dx%d %g, %g %d, %g %d, %g, %g %d; ", a, b, m, n, k, *alpha, *x, ldx, *y, ldy, *beta, *z, ldz);
    return called(h != 3);
}
#include "parts.h"
#include "matmul/library.cuh"

static void product(const char *name, struct product s)
{
    printf("%s %dx%dx%d %d, %g %g, %g %g %g, %zu %zu %zu %zu %zu", name, s.m, s.n, s.k, s.across, s.alpha,
           s.beta, *s.a, *s.b, *s.c, s.sa.row, s.sa.col, s.sb.row, s.sb.col, s.ldc);
}
static void multiply_naive(struct product s) { product("naive", s); }
static void multiply_coalesced(struct product s) { product("coalesced", s); }
template <int A, int B> static void multiply_tiled(struct product s)
{
    printf("%d%d ", A, B);
    product("tiled", s);
}

static float a = 1, b = 2, c = 3;

/* One product in each way. */
static void by_all(int h, char ta, char tb, int m, int n, int k, float alpha, int lda, int ldb, int ldc)
{
    REFUSED(matmul_naive(ta, tb, m, n, k, alpha, &a, lda, &b, ldb, 0.5f, &c, ldc, 4));
    REFUSED(matmul_coalesced(ta, tb, m, n, k, alpha, &a, lda, &b, ldb, 0.5f, &c, ldc, 5));
    REFUSED(matmul_tiled(ta, tb, m, n, k, alpha, &a, lda, &b, ldb, 0.5f, &c, ldc, 6));
    REFUSED(matmul_library(h, ta, tb, m, n, k, alpha, &a, lda, &b, ldb, 0.5f, &c, ldc, 7));
    printf("\n");
}

int main(void)
{
    static const int n[] = {1, 31, 32, 33, 64, 65};

    for (int i = 0; i < 6; i++) {
        by_all(1, i & 1 ? 'T' : 'N', i & 2 ? 'T' : 'N', n[i], n[5 - i], 70, 2, 80 + i, 90 + i, 66);
        by_all(1, 'N', 'N', 3, n[i], 1, 0, 1, n[i], n[i]);
    }
    for (int ld = 0; ld < 3; ld++) {
        by_all(1, 'N', 'N', 1, 1, 0, 1, ld, 1, 1);
        by_all(1, 'N', 'T', 1, 1, 0, 1, 1, ld, 1);
    }
    by_all(1, 'N', 'N', 0, 3, 2, 1, 2, 3, 3);
    by_all(1, 'N', 'N', 3, 0, 2, 1, 2, 0, 0);
    by_all(1, 'N', 'N', 3, 3, 2, 1, 1, 3, 3);
    by_all(1, 'N', 'N', 3, 3, 2, 1, 2, 2, 3);
    by_all(1, 'N', 'N', 3, 3, 2, 1, 2, 3, 2);
    by_all(2, 'N', 'N', 3, 3, 2, 1, 2, 3, 3);
    by_all(3, 'N', 'N', 3, 3, 2, 1, 2, 3, 3);
    /* 2147483648 tiles, and fewer */
    REFUSED(matmul_naive('N', 'N', 2147483647, 1024, 0, 1, &a, 0, &b, 1024, 1, &c, 1024, 4));
    REFUSED(matmul_naive('N', 'N', 32 * 31, 2147483647, 0, 1, &a, 0, &b, 2147483647, 1, &c, 2147483647, 4));
    REFUSED(matmul_naive('N', 'N', 1, 2147483647, 0, 1, &a, 0, &b, 2147483647, 1, &c, 2147483647, 4));
    /* rows by lanes 0 and 31 alone; what another lane has is said to be as much and the distance */
    float y[40] = {}, ones[70];

    for (int i = 0; i < 70; i++)
        ones[i] = 1;
    for (blockIdx.x = 0; blockIdx.x < 2; blockIdx.x++)
        for (threadIdx.y = 0; threadIdx.y < 8; threadIdx.y++)
            for (threadIdx.x = 0; threadIdx.x < 32; threadIdx.x += 31)
                multiply_vector(11, 34, ones, 3, ones, y, 2);
    for (int i = 0; i < 40; i++)
        printf("%g ", y[i]);
    printf("%d ", matmul_library_version(1));
    REFUSED(matmul_library_version(0));
    return 0;
}

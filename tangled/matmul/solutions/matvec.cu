/* matvec: y = A x by a warp for each row. */
#include "matmul/matmul.cuh"
#include "matmul/trial.cuh"

enum { ROWS = 8 }; /* warps in a block */

/* multiply by a vector */
__global__ void multiply_vector(int m, int k, const float *a, size_t lda,
                                const float *x, float *y, size_t ldc)
{
    int row = blockIdx.x * ROWS + threadIdx.y;
    float sum = 0;

    if (row >= m)
        return;
    for (int p = threadIdx.x; p < k; p += 32)
        sum += a[row * lda + p] * x[p];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0)
        y[row * ldc] = sum;
}

/* multiply by a vector as a way */
static void by_rows(char ta, char tb, int m, int n, int k, float alpha,
                    const float *a, int lda, const float *b, int ldb,
                    float beta, float *c, int ldc, cudaStream_t stream)
{
    CHECK(ta == 'N' && tb == 'T' && n == 1 && alpha == 1 && beta == 0,
          "by_rows multiplies a matrix and a vector; ldb is %d", ldb);
    if (m > 0)
        multiply_vector<<<(int)ceil_div((size_t)m, ROWS), dim3(32, ROWS), 0,
                          stream>>>(m, k, a, (size_t)lda, b, c, (size_t)ldc);
    CUDA_LAUNCH_CHECK();
}

int main(int argc, char **argv)
{
    static const struct way ways[] = {{"vector", by_rows}, {NULL, NULL}};
    static const int sizes[] = {0, 1, 31, 32, 33, 129, 1000};
    uint64_t seed = args_parse(argc, argv, "products with a vector", NULL, 0);

    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            for (int t = 0; t < 2; t++)
                try_product(ways, 'N', 'T', sizes[i], 1, sizes[j], &trials[t],
                            seed);
    printf("ok: 98 products with a vector\n");
    return 0;
}

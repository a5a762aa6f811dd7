/* split: a product with few outputs and long sums, the sums divided. */
#include <math.h>

#include "matmul/matmul.cuh"
#include "reduce/bound.h"
#include "tour/rng.h"

enum { M = 16, N = 32, K = 3136, PARTS = 14, PART = K / PARTS };

__global__ void add_parts(int n, int parts, const float *part, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (i >= n)
        return;
    for (int p = 0; p < parts; p++)
        sum += part[(size_t)p * n + i];
    c[i] = sum;
}
/* C[M][N] = A[M][K] B[N][K]' */
static void split_product(const float *a, const float *b, float *parts,
                          float *c)
{
    for (int p = 0; p < PARTS; p++)
        matmul_tiled('N', 'T', M, N, PART, 1, a + p * PART, K, b + p * PART, K,
                     0, parts + (size_t)p * M * N, N, 0);
    add_parts<<<blocks_for(M * N, 256), 256>>>(M * N, PARTS, parts, c);
    CUDA_LAUNCH_CHECK();
}

/* compare the divided product with a sum in double */
static void compare(const float *a, const float *b, const float *c)
{
    for (int i = 0; i < M * N; i++) {
        const float *x = a + i / N * K, *y = b + i % N * K;
        double sum = 0, size = 0;

        for (int k = 0; k < K; k++) {
            sum += (double)x[k] * y[k];
            size += fabs((double)x[k] * y[k]);
        }
        CHECK_NEAR(c[i], sum, bound_dot(K, K - 1, BOUND_FLOAT, size),
                   "bound_dot");
    }
}
int main(void)
{
    float *a, *b, *parts, *c;

    CUDA_CHECK(cudaMallocManaged((void **)&a, M * K * sizeof *a));
    CUDA_CHECK(cudaMallocManaged((void **)&b, N * K * sizeof *b));
    CUDA_CHECK(cudaMallocManaged((void **)&c, M * N * sizeof *c));
    CUDA_CHECK(cudaMalloc((void **)&parts, PARTS * M * N * sizeof *parts));
    rng_fill_float(a, M * K, 1);
    rng_fill_float(b, N * K, 2);
    split_product(a, b, parts, c);
    CUDA_CHECK(cudaDeviceSynchronize());
    compare(a, b, c);
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
    CUDA_CHECK(cudaFree(parts));
    printf("ok: %d x %d outputs, %d terms in %d parts\n", M, N, K, PARTS);
    return 0;
}

/* probe_rows: multiplies matrices that are stored by rows. */
#include <cublas_v2.h>
#include <stdio.h>

#include "stack/cuda_check.h"
#include "tour/args.h"
#include "tour/check.h"

/* multiply what is stored by rows */
/* C = A B by rows; A is m x k, B is k x n, all on the device. */
static void multiply_rows(cublasHandle_t h, int m, int n, int k, const float *a,
                          const float *b, float *c)
{
    const float one = 1, zero = 0;
    cublasStatus_t s = cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                                   b, n, a, k, &zero, c, n);

    CHECK(s == CUBLAS_STATUS_SUCCESS, "cublasSgemm: status %d", s);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("m", 3, 1, 512), ARG_SIZE("n", 5, 1, 512),
                         ARG_SIZE("k", 7, 1, 512)};
    int m, n, k;
    float *a, *b, *c;
    cublasHandle_t h;

    args_parse(argc, argv, "multiply by rows", args, ARG_COUNT(args));
    m = (int)args[0].value;
    n = (int)args[1].value;
    k = (int)args[2].value;
    /* fill the matrices and multiply */
    CUDA_CHECK(cudaMallocManaged(&a, (size_t)m * k * sizeof *a));
    CUDA_CHECK(cudaMallocManaged(&b, (size_t)k * n * sizeof *b));
    CUDA_CHECK(cudaMallocManaged(&c, (size_t)m * n * sizeof *c));
    for (int i = 0; i < m * k; i++)
        a[i] = (float)(i % 7 - 3);
    for (int i = 0; i < k * n; i++)
        b[i] = (float)(i % 5 - 2);
    CHECK(cublasCreate(&h) == CUBLAS_STATUS_SUCCESS, "no handle");
    multiply_rows(h, m, n, k, a, b, c);
    CUDA_CHECK(cudaDeviceSynchronize());
    /* add up each element by hand */
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;

            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            CHECK(c[i * n + j] == sum, "element %d,%d is %g, not %g", i, j,
                  c[i * n + j], sum);
        }
    CHECK(cublasDestroy(h) == CUBLAS_STATUS_SUCCESS, "the handle");
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
    printf("ok: %d x %d x %d by rows\n", m, n, k);
}

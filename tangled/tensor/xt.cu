/* xt: a product of host matrices by cuBLASXt, checked. GPU alone. */
#include <cublasXt.h>

#include "matmul/trial.cuh"
#include "matmul/library.cuh"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("m", 600, 1, 4096),
                         ARG_SIZE("n", 300, 1, 4096),
                         ARG_SIZE("k", 500, 1, 4096)};
    uint64_t seed =
        args_parse(argc, argv, "a product by cuBLASXt", args, ARG_COUNT(args));
    int m = (int)args[0].value, n = (int)args[1].value, k = (int)args[2].value;
    struct matrix a = matrix_make('N', m, k, 0, SMALL, seed);
    struct matrix b = matrix_make('N', k, n, 0, SMALL, seed + 1);
    struct matrix c = matrix_make('N', m, n, 0, NANS, seed + 2);
    const struct trial plain = {1, 0, SMALL, NANS, 0};
    double *want = wanted('N', 'N', &plain, k, &a, &b, &c, 0);
    int devices[] = {0};
    float one = 1, zero = 0;
    cublasXtHandle_t h;

    CUBLAS_CHECK(cublasXtCreate(&h));
    CUBLAS_CHECK(cublasXtDeviceSelect(h, 1, devices));
    CUBLAS_CHECK(cublasXtSetBlockDim(h, 256));
    CUBLAS_CHECK(cublasXtSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, (size_t)n,
                               (size_t)m, (size_t)k, &one, b.h, (size_t)n, a.h,
                               (size_t)k, &zero, c.h, (size_t)n));
    for (size_t i = 0; i < (size_t)m * n; i++) /* it is there: no waiting */
        CHECK(c.h[i] == want[i], "element %zu is %g, not %g", i, c.h[i],
              want[i]);
    CUBLAS_CHECK(cublasXtDestroy(h));
    free(want);
    matrix_free(&a);
    matrix_free(&b);
    matrix_free(&c);
    printf("ok: %d x %d x %d on the host, by cuBLASXt\n", m, n, k);
    return 0;
}

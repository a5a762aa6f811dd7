/* epilogue: C = max(0, A B + bias) by one call of cuBLASLt, checked. GPU alone. */
#include <cuda.h> /* says that it needs a GPU */

#include "tensor/lt_any.cuh"
#include "tensor/trial.cuh"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("m", 40, 8, 2048), ARG_SIZE("n", 72, 8, 2048),
                         ARG_SIZE("k", 24, 8, 2048)};
    uint64_t seed = args_parse(argc, argv, "a product with an epilogue", args,
                               ARG_COUNT(args));
    int m = (int)args[0].value, n = (int)args[1].value, k = (int)args[2].value;
    struct matrix16 a = matrix16_make('N', m, k, 0, SMALL, seed);
    struct matrix16 b = matrix16_make('N', k, n, 0, SMALL, seed + 1);
    struct matrix16 c = matrix16_make('N', m, n, 0, NANS, seed + 2);
    struct matrix16 bias = matrix16_make('N', 1, n, 0, SMALL, seed + 3);
    const struct trial plain = {1, 0, SMALL, NANS, 0};
    double *want = wanted('N', 'N', &plain, k, &a.x, &b.x, &c.x, 0);
    struct lt_kind kind = {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 0,
                           bias.d};
    struct lt_call call;
    void *place;

    CHECK(m % 8 == 0 && n % 8 == 0 && k % 8 == 0,
          "%d x %d x %d: this program wants multiples of 8", m, n, k);
    CUDA_CHECK(cudaMalloc(&place, LT_BYTES));
    call = lt_make(&kind, 'N', m, n, k, place);
    lt_call_run(&call, a.d, b.d, 0, c.d, 0);
    CUDA_CHECK(
        cudaMemcpy(c.h, c.d, c.x.count * sizeof *c.h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = want[(size_t)i * n + j] + bias.x.h[j];
            float is = __bfloat162float(c.h[(size_t)i * n + j]);

            sum = sum > 0 ? sum : 0;
            CHECK(is == __bfloat162float(__float2bfloat16((float)sum)),
                  "element (%d, %d) is %g, not %g", i, j, is, sum);
        }
    lt_free(&call);
    CUDA_CHECK(cudaFree(place));
    free(want);
    matrix16_free(&a);
    matrix16_free(&b);
    matrix16_free(&c);
    matrix16_free(&bias);
    printf("ok: max(0, A B + bias) of %d x %d x %d\n", m, n, k);
    return 0;
}

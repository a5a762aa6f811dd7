/* bulk: products of every kind by tiles in bulk, beside the reference. */
#include "gemm/bulk.cuh"
#include "matmul/matmul.cuh"
#include "matmul/trial.cuh"

template <class T>
static void by_bulk(char ta, char tb, int m, int n, int k, float alpha,
                    const float *a, int lda, const float *b, int ldb,
                    float beta, float *c, int ldc, cudaStream_t stream)
{
    struct gemm g = {m, n,    k,           0,           0,          0,
                     1, 0,    alpha,       beta,        a,          b,
                     c, NULL, (size_t)lda, (size_t)ldb, (size_t)ldc};

    if (m == 0 || n == 0)
        return;
    if (alpha != 0 && k > 0 && bulk_here())
        launch_bulk<T>(ta, tb, &g, stream);
    else
        matmul_tiled(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                     stream);
}

int main(int argc, char **argv)
{
    static const struct way ways[] = {
        {"whole", by_bulk<bulk<64, 64, 8, 8, 1, 3, 2>>},
        {"slices", by_bulk<bulk<64, 64, 8, 8, 4, 3, 2>>},
        {NULL, NULL}};

    return try_ways(argc, argv, ways);
}

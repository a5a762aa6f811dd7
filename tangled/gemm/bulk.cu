/* bulk: products of every kind by tiles in bulk, beside the reference. */
#include "gemm/bulk.cuh"
#include "matmul/trial.cuh"

template <class T>
static void by_bulk(char ta, char tb, int m, int n, int k, float alpha,
                    const float *a, int lda, const float *b, int ldb,
                    float beta, float *c, int ldc, cudaStream_t stream)
{
    struct gemm g = {m, n,    k,           0,           0,          0,
                     1, 0,    alpha,       beta,        a,          b,
                     c, NULL, (size_t)lda, (size_t)ldb, (size_t)ldc};

    g.k = alpha == 0 ? 0 : k;
    if (m > 0 && n > 0)
        launch_bulk<T>(ta, tb, &g, stream);
}

int main(int argc, char **argv)
{
    enum { WAYS = SNAKE + PAIRS + SINGLES };
    static const struct way ways[] = {
        {"by_rows", by_bulk<bulk<64, 64, 8, 8, 2, 3, 2, WAYS, BY_ROWS>>},
        {"twice", by_bulk<bulk<64, 64, 8, 8, 1, 3, 2, WAYS, TWICE>>},
        {"once", by_bulk<bulk<64, 64, 8, 8, 1, 3, 2, WAYS, ONCE>>},
        {NULL, NULL}};

    return try_ways(argc, argv, ways);
}

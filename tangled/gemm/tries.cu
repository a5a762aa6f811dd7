/* tries: products of every kind by each candidate, beside the reference. */
#include <utility>

#include "gemm/kept.cuh"
#include "gemm/tries.cuh"
#include "matmul/trial.cuh"

static int served; /* products, by candidates */

static void by_tiled(char ta, char tb, int m, int n, int k, float alpha,
                     const float *a, int lda, const float *b, int ldb,
                     float beta, float *c, int ldc, cudaStream_t stream)
{
    matmul_tiled(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, stream);
    keep(m, n, c, ldc);
}

template <int WHICH>
static void by_number(char ta, char tb, int m, int n, int k, float alpha,
                      const float *a, int lda, const float *b, int ldb,
                      float beta, float *c, int ldc, cudaStream_t stream)
{
    if (by_try(WHICH, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
               stream))
        served++;
    else
        take_kept(m, n, c, ldc);
}

/* list a way for each candidate */
template <int... I>
static void list_ways(struct way *ways, std::integer_sequence<int, I...>)
{
    int unused[] = {(ways[I] = {tries[I].name, by_number<I>}, 0)...};

    (void)unused;
}

int main(int argc, char **argv)
{
    struct way ways[1 + TRIES + 1] = {{"tiled", by_tiled}};
    int status;

    list_ways(ways + 1, std::make_integer_sequence<int, TRIES>());
    status = try_ways(argc, argv, ways);
    printf("%d served by candidates\n", served);
    return status;
}

/* tries: products of every kind by each candidate, beside the reference. */
#include <utility>

#include "gemm/tries.cuh"
#include "matmul/trial.cuh"

template <int WHICH>
static void by_number(char ta, char tb, int m, int n, int k, float alpha,
                      const float *a, int lda, const float *b, int ldb,
                      float beta, float *c, int ldc, cudaStream_t stream)
{
    by_try(WHICH, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, stream);
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
    struct way ways[TRIES + 1] = {};

    list_ways(ways, std::make_integer_sequence<int, TRIES>());
    return try_ways(argc, argv, ways);
}

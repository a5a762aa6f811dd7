/* tries: products of every kind by each candidate, beside the reference. */
#include <utility>

#include "gemm/tries.cuh"
#include "matmul/trial.cuh"

enum { TRY_ROOM = 8 << 20 }; /* floats */

static float *room;

template <int WHICH>
static void by_number(char ta, char tb, int m, int n, int k, float alpha,
                      const float *a, int lda, const float *b, int ldb,
                      float beta, float *c, int ldc, cudaStream_t stream)
{
    if (m > 0 && n > 0)
        by_try(WHICH, room, TRY_ROOM, ta, tb, m, n, alpha == 0 ? 0 : k, alpha,
               a, lda, b, ldb, beta, c, ldc, stream);
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
    int status;

    list_ways(ways, std::make_integer_sequence<int, TRIES>());
    CUDA_CHECK(cudaMalloc((void **)&room, TRY_ROOM * sizeof *room));
    status = try_ways(argc, argv, ways);
    CUDA_CHECK(cudaFree(room));
    return status;
}

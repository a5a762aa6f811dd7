/* tries.cuh: kernels that sgemm does not use, to be timed beside it. */
#ifndef GEMM_TRIES_CUH
#define GEMM_TRIES_CUH

#include "gemm/bulk.cuh"
#include "gemm/stream.cuh"
#include "matmul/matmul.cuh"

/* try tiles */
/* 0: not served. */
template <class T>
static inline int try_tiles(const struct gemm *g, cudaStream_t stream)
{
    if (!in_fours(g->b, g->ldb, g->n))
        return 0;
    launch_kind<T, TURNED, BY_4>(*g, stream);
    return 1;
}

template <class T>
static inline int try_bulk(const struct gemm *g, cudaStream_t stream)
{
    if (g->k == 0 || !bulk_here() || !in_fours(g->b, g->ldb, 4))
        return 0;
    launch_boxes<T, TURNED, BULK>(*g, stream);
    return 1;
}

/* try equal shares */
template <class T>
static inline int try_shares(const struct gemm *p, cudaStream_t stream)
{
    static float *room;
    struct gemm g = *p;
    int sms = 0;

    if (g.k == 0 || !in_fours(g.b, g.ldb, g.n))
        return 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    if (!room)
        CUDA_CHECK(cudaMalloc((void **)&room, sizeof(float) * 2 * T::BLOCKS *
                                                  sms * T::M * T::N));
    g.sums = room;
    launch_shares<T, TURNED, BY_4>(g, shares_of<T>(&g, sms), stream);
    return 1;
}

/* list what is tried */
/* X(name, small, launch, sizes) */
#define GEMM_TRIES(X)                                                 \
    X(bulk, 0, try_bulk, bulk<128, 128, 8, 8, 1, 3, 2>)               \
    X(bulk_wide, 0, try_bulk, bulk<128, 256, 8, 16, 1, 4, 1>)         \
    X(bulk_one, 0, try_bulk, bulk<256, 128, 8, 8, 1, 4, 1>)           \
    X(shares, 0, try_shares, tile<128, 128, 32, 8, 8, 1, 3, 2>)       \
    X(small_shares, 1, try_shares, tile<128, 64, 16, 8, 8, 1, 3, 3>)  \
    X(small_64x128_4, 1, try_tiles, tile<64, 128, 32, 8, 8, 4, 3, 1>) \
    X(small_64x64_2, 1, try_tiles, tile<64, 64, 32, 8, 8, 4, 3, 2>)   \
    X(small_bulk_64x128, 1, try_bulk, bulk<64, 128, 8, 8, 2, 3, 2>)   \
    X(small_bulk_64x128_4, 1, try_bulk, bulk<64, 128, 8, 8, 4, 3, 1>) \
    X(small_bulk_128x64, 1, try_bulk, bulk<128, 64, 8, 8, 4, 4, 1>)   \
    X(small_bulk_64x64, 1, try_bulk, bulk<64, 64, 8, 8, 4, 4, 2>)     \
    X(small_bulk_64x64_2, 1, try_bulk, bulk<64, 64, 8, 8, 2, 4, 3>)

#define GEMM_TRY(NAME, SMALL, LAUNCH, ...) {#NAME, SMALL, LAUNCH<__VA_ARGS__>},

static const struct {
    const char *name;
    int small;
    int (*run)(const struct gemm *g, cudaStream_t stream);
} tries[] = {GEMM_TRIES(GEMM_TRY)};

enum { TRIES = sizeof tries / sizeof *tries };

/* multiply by what is tried */
/* 0: not served, nothing is done. */
static inline int by_try(int which, char ta, char tb, int m, int n, int k,
                         float alpha, const float *a, int lda, const float *b,
                         int ldb, float beta, float *c, int ldc,
                         cudaStream_t stream)
{
    struct gemm g = {m, n,    k,           0,           0,          0,
                     1, 0,    alpha,       beta,        a,          b,
                     c, NULL, (size_t)lda, (size_t)ldb, (size_t)ldc};

    return m > 0 && n > 0 && alpha != 0 && ta == 'N' && tb == 'N' &&
           tries[which].run(&g, stream);
}

#endif

/* tries.cuh: kernels that sgemm does not use, to be timed beside it. */
#ifndef GEMM_TRIES_CUH
#define GEMM_TRIES_CUH

#include "gemm/bulk.cuh"

/* try tiles */
template <class T>
static inline void try_tiles(char ta, char tb, const struct gemm *g,
                             cudaStream_t stream)
{
    if (ta == 'N' && tb == 'N' && in_fours(g->b, g->ldb, g->n))
        launch_kind<T, TURNED, BY_4>(*g, stream);
    else
        launch_tiles<tile<128, 128, 32, 8, 8, 1, 3, 2>>(ta, tb, g, stream);
}

template <class T>
static inline void try_bulk(char ta, char tb, const struct gemm *g,
                            cudaStream_t stream)
{
    if (ta == 'N' && tb == 'N' && g->k > 0 && bulk_here() &&
        bulk_can(ta, tb, g->a, g->lda, g->b, g->ldb))
        launch_boxes<T, TURNED, BULK>(*g, stream);
    else
        launch_tiles<tile<128, 128, 32, 8, 8, 1, 3, 2>>(ta, tb, g, stream);
}

/* list what is tried */
/* X(name, small, parts, launch, sizes) */
#define GEMM_TRIES(X)                                                          \
    X(bulk, 0, 1, try_bulk, bulk<128, 128, 8, 8, 1, 3, 2>)                     \
    X(bulk_loose, 0, 1, try_bulk, bulk<128, 128, 8, 8, 1, 3, 2, 1>)            \
    X(bulk_wide, 0, 1, try_bulk, bulk<128, 256, 8, 16, 1, 4, 1>)               \
    X(bulk_wide_loose, 0, 1, try_bulk, bulk<128, 256, 8, 16, 1, 4, 1, 1>)      \
    X(bulk_tall, 0, 1, try_bulk, bulk<256, 128, 16, 8, 1, 4, 1>)               \
    X(small_64x128_4, 1, 1, try_tiles, tile<64, 128, 32, 8, 8, 4, 3, 1>)       \
    X(small_64x64_2, 1, 1, try_tiles, tile<64, 64, 32, 8, 8, 4, 3, 2>)         \
    X(small_bulk_64x128, 1, 1, try_bulk, bulk<64, 128, 8, 8, 2, 3, 2>)         \
    X(small_bulk_64x128_4, 1, 1, try_bulk, bulk<64, 128, 8, 8, 4, 3, 1>)       \
    X(small_bulk_128x64, 1, 1, try_bulk, bulk<128, 64, 8, 8, 4, 4, 1>)         \
    X(small_bulk_64x64, 1, 1, try_bulk, bulk<64, 64, 8, 8, 4, 4, 2>)           \
    X(small_bulk_64x64_2, 1, 1, try_bulk, bulk<64, 64, 8, 8, 2, 4, 3>)

#define GEMM_TRY(NAME, SMALL, PARTS, LAUNCH, ...) \
    {#NAME, SMALL, PARTS, LAUNCH<__VA_ARGS__>},

static const struct {
    const char *name;
    int small, parts;
    void (*run)(char ta, char tb, const struct gemm *g, cudaStream_t stream);
} tries[] = {GEMM_TRIES(GEMM_TRY)};

enum { TRIES = sizeof tries / sizeof *tries };

/* multiply by what is tried */
/* sums: on the device, room for so many floats. m and n are not 0. */
static inline void by_try(int which, float *sums, size_t room, char ta, char tb,
                          int m, int n, int k, float alpha, const float *a,
                          int lda, const float *b, int ldb, float beta,
                          float *c, int ldc, cudaStream_t stream)
{
    size_t sides = ceil_div((size_t)m, 256) * ceil_div((size_t)n, 256);
    int parts = tries[which].parts;
    struct gemm g = {m,     n,    k,           0,           0,          0,
                     parts, 0,    alpha,       beta,        a,          b,
                     c,     sums, (size_t)lda, (size_t)ldb, (size_t)ldc};

    if (sides * 256 * 256 * (size_t)parts > room)
        g.parts = 1;
    tries[which].run(ta, tb, &g, stream);
}

#endif

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

/* list what is tried */
/* X(name, small, parts, launch, sizes) */
#define GEMM_TRIES(X)                                                       \
    X(snake, 0, 1, try_tiles, tile<128, 128, 32, 8, 8, 1, 3, 2, SNAKE>)     \
    X(columns, 0, 1, try_tiles, tile<128, 128, 32, 8, 8, 1, 3, 2, COLUMNS>) \
    X(singles, 0, 1, try_tiles,                                             \
      tile<128, 128, 32, 8, 8, 1, 3, 2, SNAKE + SINGLES>)                   \
    X(pairs, 0, 1, try_tiles,                                               \
      tile<128, 128, 32, 8, 8, 1, 3, 2, COLUMNS + PAIRS + SINGLES>)         \
    X(snake_pairs, 0, 1, try_tiles,                                         \
      tile<128, 128, 32, 8, 8, 1, 3, 2, SNAKE + PAIRS + SINGLES>)           \
    X(wide_pairs, 0, 1, try_tiles,                                          \
      tile<128, 256, 16, 8, 16, 1, 3, 1, COLUMNS + PAIRS + SINGLES>)        \
    X(wide_deep, 0, 1, try_tiles,                                           \
      tile<128, 256, 32, 8, 16, 1, 3, 1, COLUMNS + PAIRS + SINGLES>)        \
    X(tall_pairs, 0, 1, try_tiles,                                          \
      tile<256, 128, 16, 16, 8, 1, 4, 1, SNAKE + PAIRS + SINGLES>)          \
    X(bulk, 0, 1, launch_bulk,                                              \
      bulk<128, 128, 8, 8, 1, 3, 2, SNAKE + PAIRS + SINGLES, BY_ROWS>)      \
    X(bulk_wide, 0, 1, launch_bulk,                                         \
      bulk<128, 256, 8, 16, 1, 4, 1, COLUMNS + PAIRS + SINGLES, BY_ROWS>)   \
    X(bulk_wide_3, 0, 1, launch_bulk,                                       \
      bulk<128, 256, 8, 16, 1, 3, 1, COLUMNS + PAIRS + SINGLES, BY_ROWS>)   \
    X(bulk_tall, 0, 1, launch_bulk,                                         \
      bulk<256, 128, 16, 8, 1, 4, 1, SNAKE + PAIRS + SINGLES, BY_ROWS>)     \
    X(bulk_512, 0, 1, launch_bulk,                                          \
      bulk<256, 128, 8, 8, 1, 4, 1, SNAKE + PAIRS + SINGLES, BY_ROWS>)      \
    X(bulk_two, 0, 1, launch_bulk,                                          \
      bulk<128, 128, 8, 16, 1, 3, 2, SNAKE + PAIRS + SINGLES, BY_ROWS>)     \
    X(bulk_wide_k, 0, 1, launch_bulk,                                       \
      bulk<128, 256, 8, 16, 1, 4, 1, SNAKE + PAIRS + SINGLES, TWICE>)       \
    X(bulk_tall_k, 0, 1, launch_bulk,                                       \
      bulk<256, 128, 16, 8, 1, 4, 1, SNAKE + PAIRS + SINGLES, TWICE>)       \
    X(small_64x128_4, 1, 1, try_tiles, tile<64, 128, 32, 8, 8, 4, 3, 1>)    \
    X(small_128x64_4, 1, 1, try_tiles, tile<128, 64, 32, 8, 8, 4, 3, 1>)    \
    X(small_64x64_2, 1, 1, try_tiles, tile<64, 64, 32, 8, 8, 4, 3, 2>)      \
    X(small_64x64_p2, 1, 2, try_tiles, tile<64, 64, 32, 8, 8, 4, 3, 1>)     \
    X(small_128x128_p2, 1, 2, try_tiles, tile<128, 128, 32, 8, 8, 1, 3, 2>) \
    X(small_128x128_p4, 1, 4, try_tiles, tile<128, 128, 32, 8, 8, 1, 3, 2>) \
    X(small_bulk_64x128, 1, 1, launch_bulk,                                 \
      bulk<64, 128, 8, 8, 2, 3, 2, SNAKE + PAIRS + SINGLES, BY_ROWS>)       \
    X(small_bulk_128x64, 1, 1, launch_bulk,                                 \
      bulk<128, 64, 8, 8, 4, 4, 1, SNAKE + PAIRS + SINGLES, BY_ROWS>)       \
    X(small_bulk_64x64, 1, 1, launch_bulk,                                  \
      bulk<64, 64, 8, 8, 4, 4, 2, SNAKE + PAIRS + SINGLES, BY_ROWS>)        \
    X(small_bulk_64x64_p2, 1, 2, launch_bulk,                               \
      bulk<64, 64, 8, 8, 4, 4, 2, SNAKE + PAIRS + SINGLES, BY_ROWS>)

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

/* bgemm.cuh: C = alpha op(A) op(B) + beta C for matrices of bf16, row-major. */
#ifndef TENSOR_BGEMM_CUH
#define TENSOR_BGEMM_CUH

#include "tensor/launch.cuh"

/* launch a kernel of a warp */
static inline void launch_plain16(const struct product16 *g,
                                  cudaStream_t stream)
{
    size_t blocks = ceil_div((size_t)g->m * g->n, 256);

    multiply_plain16<<<(unsigned)blocks, 256, 0, stream>>>(*g);
    CUDA_LAUNCH_CHECK();
}

static inline void launch_wmma(struct product16 g, cudaStream_t stream)
{
    g.down = (int)ceil_div((size_t)g.m, 64);
    g.across = (int)ceil_div((size_t)g.n, 64);
    multiply_wmma<<<(unsigned)(g.down * g.across), 128, 0, stream>>>(g);
    CUDA_LAUNCH_CHECK();
}

template <int TA, int TB>
static inline void launch_fragments_as(const struct product16 *g,
                                       cudaStream_t stream)
{
    int whole = is_whole(g->a, g->lda) && is_whole(g->b, g->ldb);
    void (*kernel)(const struct product16) =
        whole ? multiply_fragments<TA, TB, 1> : multiply_fragments<TA, TB, 0>;
    int bytes = MMA_STAGES * MMA_STAGE;

    CUDA_CHECK(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<(unsigned)(g->down * g->across), MMA_THREADS, bytes, stream>>>(*g);
    CUDA_LAUNCH_CHECK();
}

static inline void launch_fragments(char ta, char tb, struct product16 g,
                                    cudaStream_t stream)
{
    g.down = (int)ceil_div((size_t)g.m, MMA_TILE);
    g.across = (int)ceil_div((size_t)g.n, MMA_TILE);
    if (ta == 'N' && tb == 'N')
        launch_fragments_as<0, 1>(&g, stream);
    else if (ta == 'N')
        launch_fragments_as<0, 0>(&g, stream);
    else if (tb == 'N')
        launch_fragments_as<1, 1>(&g, stream);
    else
        launch_fragments_as<1, 0>(&g, stream);
}

/* name the tiles */
typedef group_tile<128, 256, 2, 4, 1> tile_large;
typedef group_tile<128, 128, 2, 6, 1> tile_medium;
typedef group_tile<128, 64, 2, 8, 1> tile_small;
typedef group_tile<64, 64, 1, 12, 1> tile_least;
typedef group_tile<64, 128, 1, 8, 1> tile_flat;
typedef group_tile<128, 64, 2, 8, -2> tile_side;
typedef group_tile<128, 128, 2, 6, 1, 2> tile_parts;
typedef group_tile<128, 64, 2, 4, 1, 1, 2> tile_two;
typedef group_tile<64, 64, 1, 6, 1, 1, 2> tile_least_two;

enum { BGEMM_TILES = 4 };
static const struct {
    int m, n, cluster;
    double share; /* of the largest tile's multiply-adds in a time */
} bgemm_tiles[BGEMM_TILES] = {{128, 256, 1, 1},
                              {128, 128, 1, 0.9},
                              {128, 64, 1, 0.65},
                              {64, 64, 1, 0.44}};

/* choose a form of the small tile */
static inline void launch_small(int form, char ta, char tb,
                                const struct product16 *p, int blocks,
                                cudaStream_t stream)
{
    if (form == 0 || ta != 'N' || tb != 'N')
        launch_groups<tile_small>(ta, tb, p, blocks, stream);
    else if (form == 1)
        launch_groups_as<tile_side, 0, 1>(ta, tb, *p, blocks, stream);
    else
        launch_groups_as<tile_flat, 0, 1>(ta, tb, *p, blocks, stream);
}

#ifndef __LOOM__ /* whose times say nothing */

/* put a form of the small tile into a graph */
enum { TRY_N = 1024, TRY_SETS = 24, TRY_FORMS = 3 };

/* A graph of a product with each of the sets, which L2 cannot hold. */
static inline cudaGraphExec_t bgemm_try_graph(const struct bgemm *h, int form,
                                              bf16 *x, cudaStream_t stream)
{
    size_t each = (size_t)TRY_N * TRY_N;
    cudaGraphExec_t exec;
    cudaGraph_t graph;

    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    for (int i = 0; i < TRY_SETS; i++, x += 3 * each) {
        struct product16 g =
            product16_of('N', 'N', TRY_N, TRY_N, TRY_N, 1, x, TRY_N, x + each,
                         TRY_N, 0, x + 2 * each, TRY_N);

        g.strip = 2;
        g.ahead = 1;
        launch_small(form, 'N', 'N', &g, h->sms, stream);
    }
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return exec;
}

/* try the forms of the small tile */
/* Chooses the form of tile_small by a few milliseconds of measuring. */
static inline void bgemm_try(struct bgemm *h)
{
    size_t bytes = (size_t)TRY_N * TRY_N * 2 * 3 * TRY_SETS;
    cudaGraphExec_t graphs[TRY_FORMS];
    float least[TRY_FORMS];
    cudaEvent_t from, to;
    cudaStream_t stream;
    bf16 *x;

    if (!h->has_wgmma)
        return;
    CUDA_CHECK(cudaMalloc((void **)&x, bytes));
    CUDA_CHECK(cudaMemset(x, 0, bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaEventCreate(&from));
    CUDA_CHECK(cudaEventCreate(&to));
    for (int f = 0; f < TRY_FORMS; f++)
        graphs[f] = bgemm_try_graph(h, f, x, stream);
    for (int round = 0; round < 12; round++) /* two to warm up */
        for (int f = 0; f < TRY_FORMS; f++) {
            float ms;

            CUDA_CHECK(cudaEventRecord(from, stream));
            CUDA_CHECK(cudaGraphLaunch(graphs[f], stream));
            CUDA_CHECK(cudaEventRecord(to, stream));
            CUDA_CHECK(cudaEventSynchronize(to));
            CUDA_CHECK(cudaEventElapsedTime(&ms, from, to));
            if (round <= 2 || ms < least[f])
                least[f] = ms;
        }
    for (int f = 0; f < TRY_FORMS; f++) {
        if (least[f] < least[h->form])
            h->form = f;
        CUDA_CHECK(cudaGraphExecDestroy(graphs[f]));
    }
    CUDA_CHECK(cudaEventDestroy(from));
    CUDA_CHECK(cudaEventDestroy(to));
    CUDA_CHECK(cudaStreamDestroy(stream));
    CUDA_CHECK(cudaFree(x));
}
#endif

/* choose a tile */
/* The tile that needs the least time for m x n sums, all of the same length. */
static inline int bgemm_tile(const struct bgemm *h, int m, int n)
{
    double least = 1e300;
    int best = 0;

    for (int t = 0; t < BGEMM_TILES; t++) {
        size_t tall = (size_t)bgemm_tiles[t].m * bgemm_tiles[t].cluster;
        size_t tiles = ceil_div((size_t)m, tall) *
                       ceil_div((size_t)n, (size_t)bgemm_tiles[t].n);
        size_t room = (size_t)(h->sms / bgemm_tiles[t].cluster);
        double cost = (double)ceil_div(tiles, room > 0 ? room : 1) *
                      bgemm_tiles[t].m * bgemm_tiles[t].n /
                      bgemm_tiles[t].share;

        if (cost < least)
            least = cost, best = t;
    }
    return best;
}

/* The product by one of the tiles, or by another kernel. */
enum { BGEMM_PLAIN = -1, BGEMM_FRAGMENTS = -2 };
enum { BGEMM_STRIPS = 1 << 25 }; /* so many sums: in strips of 8, not of 2 */
enum { BGEMM_AHEAD = 1 << 22 };  /* so many numbers of A and B, at most */

static inline int bgemm_plan(const struct bgemm *h, const struct product16 *g)
{
    if (g->k == 0 || h->major < 8)
        return BGEMM_PLAIN;
    if (!h->has_wgmma || !is_whole(g->a, g->lda) || !is_whole(g->b, g->ldb) ||
        !is_whole(g->c, g->ldc))
        return BGEMM_FRAGMENTS;
    return bgemm_tile(h, g->m, g->n);
}

/* multiply matrices of bf16 */
/* C = alpha op(A) op(B) + beta C, all row-major; ta and tb are 'N' or 'T'. Sums
   are float; C is rounded once. Queued in the stream. */
static inline void bgemm(struct bgemm *h, char ta, char tb, int m, int n, int k,
                         float alpha, const bf16 *a, int lda, const bf16 *b,
                         int ldb, float beta, bf16 *c, int ldc,
                         cudaStream_t stream)
{
    struct product16 g =
        product16_of(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);

    g.k = alpha == 0 ? 0 : k;
    g.strip = (size_t)m * n > BGEMM_STRIPS ? 8 : 2;
    g.ahead = (size_t)k * (m + n) <= BGEMM_AHEAD;
    if (m == 0 || n == 0)
        return;
    switch (bgemm_plan(h, &g)) {
    case BGEMM_PLAIN:
        launch_plain16(&g, stream);
        break;
    case BGEMM_FRAGMENTS:
        launch_fragments(ta, tb, g, stream);
        break;
    case 0:
        launch_groups<tile_large>(ta, tb, &g, h->sms, stream);
        break;
    case 1:
        launch_groups<tile_medium>(ta, tb, &g, h->sms, stream);
        break;
    case 2:
        launch_small(h->form, ta, tb, &g, h->sms, stream);
        break;
    default:
        launch_groups<tile_least>(ta, tb, &g, h->sms, stream);
    }
}

#endif

/* bgemm.cuh: C = alpha op(A) op(B) + beta C for matrices of bf16, row-major. */
#ifndef TENSOR_BGEMM_CUH
#define TENSOR_BGEMM_CUH

#include "tensor/group.cuh"

/* hold what bgemm knows of the GPU */
/* Made once for a GPU. Not to be used by two host threads at a time. */
struct bgemm {
    int sms, major, has_wgmma;
};

static __global__ void say_wgmma(int *says)
{
#if defined(__LOOM__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
    *says = 1;
#else
    *says = 0;
#endif
}

static inline struct bgemm bgemm_make(void)
{
    struct bgemm h = {};
    int device, *says;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&h.sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaDeviceGetAttribute(
        &h.major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaMalloc((void **)&says, sizeof *says));
    say_wgmma<<<1, 1>>>(says);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(
        cudaMemcpy(&h.has_wgmma, says, sizeof *says, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(says));
#ifdef __LOOM__
    h.major = 9;
#endif
    return h;
}

/* make a product */
static inline struct product16 product16_of(char ta, char tb, int m, int n,
                                            int k, float alpha, const bf16 *a,
                                            int lda, const bf16 *b, int ldb,
                                            float beta, bf16 *c, int ldc)
{
    struct product16 g = {a,
                          b,
                          c,
                          m,
                          n,
                          k,
                          lda,
                          ldb,
                          ldc,
                          alpha,
                          beta,
                          steps_of(ta, lda),
                          steps_of(tb, ldb)};

    g.strip = 8;
    g.pairs = ldc % 2 == 0 && (size_t)c % 4 == 0;
    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    CHECK((size_t)m * n < (size_t)1 << 40, "bgemm: %d x %d is too large", m, n);
    return g;
}

/* Whether all rows of a matrix begin at multiples of 16 bytes. */
static inline int is_whole(const bf16 *x, int ld)
{
    return (size_t)x % 16 == 0 && ld % 8 == 0;
}

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

/* make tensor maps of a product */
/* Of rows x cols numbers, by boxes of `high` rows of 64. */
static inline CUtensorMap map_of16(const bf16 *x, int rows, int cols, int ld,
                                   int high)
{
    const uint64_t size[2] = {(uint64_t)cols, (uint64_t)rows};
    const uint64_t stride = 2 * (uint64_t)ld;
    const unsigned box[2] = {64, (unsigned)high};
    CUtensorMap map;
    int wrong = ptx_tensor_map(
        &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void *)x, size, &stride,
        box, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    CHECK(!wrong, "no tensor map of %d x %d numbers: error %d", rows, cols,
          wrong);
    return map;
}

/* A tile has `tall` rows of A, and copies of B have `wide` columns. */
static inline struct tiled16
tiled16_of(char ta, char tb, const struct product16 *p, int tall, int wide)
{
    struct tiled16 g;

    *(struct product16 *)&g = *p;
    g.a_map = ta == 'N' ? map_of16(p->a, p->m, p->k, p->lda, tall)
                        : map_of16(p->a, p->k, p->m, p->lda, 64);
    g.b_map = tb == 'T' ? map_of16(p->b, p->n, p->k, p->ldb, wide)
                        : map_of16(p->b, p->k, p->n, p->ldb, 64);
    g.c_map = map_of16(p->c, p->m, p->n, p->ldc, 64);
    g.boxed = p->n % 8 == 0 && !p->by_threads;
    return g;
}

/* launch a kernel of warpgroups */
template <int TA, int TB>
static inline void launch_copied(char ta, char tb, struct product16 p,
                                 cudaStream_t stream)
{
    struct tiled16 g;
    int bytes = 2 * 128 * 128 + 8;

    p.down = (int)ceil_div((size_t)p.m, 128);
    p.across = (int)ceil_div((size_t)p.n, 128);
    g = tiled16_of(ta, tb, &p, 128, 128);
    multiply_copied<TA, TB>
        <<<(unsigned)(p.down * p.across), 128, bytes, stream>>>(g);
    CUDA_LAUNCH_CHECK();
}

template <class T, int TA, int TB>
static inline void launch_groups_as(char ta, char tb, struct product16 p,
                                    int blocks, cudaStream_t stream)
{
    void (*kernel)(const struct tiled16) = multiply_warpgroups<T, TA, TB>;
    cudaLaunchAttribute attrs[2] = {};
    cudaLaunchConfig_t how = {};
    struct tiled16 g;
    int tiles;

    p.down = (int)ceil_div((size_t)p.m, T::M * T::DOWN);
    p.across = (int)ceil_div((size_t)p.n, T::N * T::RIGHT);
    tiles = p.down * p.across;
    blocks = blocks && T::SPLIT == 1 ? blocks * T::BLOCKS / T::CLUSTER : tiles;
    blocks = (blocks < tiles ? blocks : tiles) * T::GROUP;
    CHECK((p.k + 63) / 64 >= T::SPLIT, "%d steps of k in %d parts", p.k,
          T::SPLIT);
    g = tiled16_of(ta, tb, &p, T::M / T::RIGHT, T::N / T::DOWN);
    CUDA_CHECK(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES));
    attrs[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attrs[0].val.programmaticStreamSerializationAllowed = 1;
    attrs[1].id = cudaLaunchAttributeClusterDimension;
    attrs[1].val.clusterDim.x = T::GROUP;
    attrs[1].val.clusterDim.y = attrs[1].val.clusterDim.z = 1;
    how.gridDim = dim3((unsigned)blocks);
    how.blockDim = dim3(T::THREADS);
    how.dynamicSmemBytes = T::BYTES;
    how.stream = stream;
    how.attrs = attrs;
    how.numAttrs = T::GROUP > 1 ? 2 : 1;
    CUDA_CHECK(cudaLaunchKernelEx(&how, kernel, g));
}

/* choose the layout of a launch */
template <class T>
static inline void launch_groups(char ta, char tb, const struct product16 *p,
                                 int blocks, cudaStream_t stream)
{
    if (ta == 'N' && tb == 'N')
        launch_groups_as<T, 0, 1>(ta, tb, *p, blocks, stream);
    else if (ta == 'N')
        launch_groups_as<T, 0, 0>(ta, tb, *p, blocks, stream);
    else if (tb == 'N')
        launch_groups_as<T, 1, 1>(ta, tb, *p, blocks, stream);
    else
        launch_groups_as<T, 1, 0>(ta, tb, *p, blocks, stream);
}

/* name the tiles */
typedef group_tile<128, 256, 2, 4, 1> tile_large;
typedef group_tile<128, 128, 2, 6, 1> tile_medium;
typedef group_tile<128, 64, 2, 8, 1> tile_small;
typedef group_tile<64, 64, 1, 12, 1> tile_least;
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
        launch_groups<tile_small>(ta, tb, &g, h->sms, stream);
        break;
    default:
        launch_groups<tile_least>(ta, tb, &g, h->sms, stream);
    }
}

#endif

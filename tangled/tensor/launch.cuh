/* launch.cuh: launch a product of bf16 by a tile of warpgroups. */
#ifndef TENSOR_LAUNCH_CUH
#define TENSOR_LAUNCH_CUH

#include "tensor/group.cuh"

/* hold what bgemm knows of the GPU */
/* Made once for a GPU. Not to be used by two host threads at a time. */
struct bgemm {
    int sms, major, has_wgmma;
    int form; /* of tile_small: 0, or what bgemm_try found */
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

#endif

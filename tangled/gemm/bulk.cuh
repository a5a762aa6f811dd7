/* bulk.cuh: products of matrices by tiles that come in bulk. */
#ifndef GEMM_BULK_CUH
#define GEMM_BULK_CUH

#include "gemm/launch.cuh"
#include "loom/ptx.h"

/* name the sizes of tiles in bulk */
enum { BULK = TURNED + 1 }; /* one more way in: boxes of a tensor map */

/* As tile, with 32 steps in a stage, RUN of which are written out. */
template <int M_, int N_, int TM_, int TN_, int SLICES_, int STAGES_,
          int BLOCKS_, int RUN_ = 8>
struct bulk
    : tile<M_, N_, 32, TM_, TN_, SLICES_, STAGES_, BLOCKS_, SNAKE + PAIRS> {
    typedef tile<M_, N_, 32, TM_, TN_, SLICES_, STAGES_, BLOCKS_, SNAKE + PAIRS>
        base;
    enum {
        RUN = RUN_,
        TALL = base::ROWS * TM_, /* a warp's part of the tile */
        WIDE = base::COLS * TN_,
        IN_SLICE = base::GROUP / 32, /* warps */
        BULK_BYTES = 4 * base::FLOATS + 16 * STAGES_
    };

    static_assert(STAGES_ >= 3, "one in use, one arriving, one being filled");
    static_assert(M_ <= 256 && N_ <= 256, "the side of a box");
    static_assert(base::STEPS % RUN_ == 0 && RUN_ % 2 == 0, "whole runs");
    static_assert(SLICES_ * M_ * N_ <= base::FLOATS, "sums fit in the stages");
    static_assert(base::ROWS == 4, "every second four rows are exchanged");
};

/* order the tiles of a stage */
template <class T, int HOW_A, int HOW_B>
static __device__ inline void order_stage(const CUtensorMap *ma,
                                          const CUtensorMap *mb, int i0, int j0,
                                          int p, float *to, uint64_t *full)
{
    enum { LINE = (HOW_A == BULK ? T::M : 0) + (HOW_B == BULK ? T::N : 0) };
    int at_a[2] = {i0, p}, at_b[2] = {j0, p};

    ptx_mbarrier_expect(full, 4 * 32 * LINE);
    if (HOW_A == BULK)
        ptx_tensor_load<2>(to, ma, at_a, full);
    if (HOW_B == BULK)
        ptx_tensor_load<2>(to + T::A_FLOATS, mb, at_b, full);
}

/* multiply by tiles in bulk */
template <class T, int HOW_A, int HOW_B>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    multiply_bulk(const __grid_constant__ struct gemm g,
                  const __grid_constant__ CUtensorMap ma,
                  const __grid_constant__ CUtensorMap mb)
{
    enum {
        TURNS = HOW_A == TURNED || HOW_B == TURNED,
        ORDERS = HOW_A == BULK || HOW_B == BULK,
        WA = T::M + (HOW_A == TURNED ? PAD : 0), /* a row in shared memory */
        WB = T::N + (HOW_B == TURNED ? PAD : 0)
    };
    extern __shared__ __align__(128) float boxes_in[];
    float *stages = boxes_in;
    uint64_t *full = (uint64_t *)(stages + T::FLOATS);
    uint64_t *empty = full + T::STAGES;
    /* find a thread's place in bulk */
    /* find a thread's place */
    int rest = blockIdx.x - g.whole, part = rest < 0 ? 0 : rest % g.parts;
    int2 at = find_tile(rest < 0 ? blockIdx.x : g.whole + rest / g.parts,
                        g.down, g.across);
    float *sums = rest < 0 ? NULL : g.sums + (size_t)rest * T::M * T::N;
    int i0 = at.x * T::M, j0 = at.y * T::N;
    int slice = threadIdx.x / T::GROUP, inner = threadIdx.x % T::GROUP;
    int warp = inner / 32, lane = inner % 32, wide = T::N / (T::COLS * T::TN);
    int2 of = T::place(lane);
    int i = warp / wide * T::ROWS * T::TM + of.x * 4;
    int j = warp % wide * T::COLS * T::TN + of.y * 4;
    int x = slice * T::STEPS * (T::M + PAD) + i;
    int y = slice * T::STEPS * (T::N + PAD) + j + T::A_FLOATS;
    float c[T::TM][T::TN] = {}, xs[2][T::TM], ys[2][T::TN];
    x = __shfl_sync(0xffffffff, slice * T::STEPS * WA + i, lane);
    y = __shfl_sync(0xffffffff, slice * T::STEPS * WB + j + T::A_FLOATS, lane);
    const float *near_a = stages + x, *near_b = stages + y;
    float *mine = stages + (slice * T::IN_SLICE + warp) * T::TALL * T::WIDE;
    /* order the first tiles */
    int deep = (g.k + 31) / 32, slot = 0, turn = 0;
    int t = part * g.each, end = rest < 0 ? deep : min(t + g.each, deep);
    int last = T::STAGES - 1, last_turn = 1; /* where the tile before was */
    int p0 = (t - deep) * 32 + g.k; /* tile t's first step; -31 or more */
    feed<T, T::M, TURNED> fa;
    feed<T, T::N, TURNED> fb;

    if (threadIdx.x == 0) {
        for (int s = 0; s < T::STAGES; s++) {
            ptx_mbarrier_init(&full[s], ORDERS + (TURNS ? T::THREADS / 32 : 0));
            ptx_mbarrier_init(&empty[s], T::THREADS / 32);
        }
        ptx_fence_mbarrier_init();
        for (int s = 0; ORDERS && s < T::STAGES - 1 && t + s < end; s++)
            order_stage<T, HOW_A, HOW_B>(&ma, &mb, i0, j0, p0 + 32 * s,
                                         stages + s * T::STAGE_FLOATS,
                                         &full[s]);
    }
    if (HOW_A == TURNED)
        feed_start(fa, g.a, g.lda, i0, g.m, p0);
    if (HOW_B == TURNED)
        feed_start(fb, g.b, g.ldb, j0, g.n, p0);
    __syncthreads();
    /* start the first turned copies */
    for (int s = 0; TURNS && s < T::STAGES - 1; s++) {
        float *next = stages + s * T::STAGE_FLOATS;

        if (HOW_A == TURNED && t + s < end) {
            if (s == 0)
                feed_copy<1>(fa, next, p0);
            else
                feed_copy<0>(fa, next, 0);
        }
        if (HOW_B == TURNED && t + s < end) {
            if (s == 0)
                feed_copy<1>(fb, next + T::A_FLOATS, p0);
            else
                feed_copy<0>(fb, next + T::A_FLOATS, 0);
        }
        async_commit();
    }
    if (TURNS && t < end) {
        async_wait<T::STAGES - 2>();
        __syncwarp();
        if (lane == 0)
            ptx_mbarrier_arrive(&full[0]);
    }
    if (t < end) {
        ptx_mbarrier_wait(&full[0], 0);
        load_step<T>(xs[0], ys[0], near_a, near_b);
    }
    for (; t < end; t++) {

/* multiply what came in bulk */
#pragma unroll 1
        for (int q = 0; q < T::STEPS; q += T::RUN) {
            if (q == T::STEPS / 2 / T::RUN * T::RUN) {
                /* order the tile after the next */
                if (TURNS && t + 1 < end) {
                    async_wait<T::STAGES - 3>();
                    __syncwarp();
                    if (lane == 0)
                        ptx_mbarrier_arrive(
                            &full[slot + 1 < T::STAGES ? slot + 1 : 0]);
                }
                if (t + T::STAGES - 1 < end && (TURNS || threadIdx.x == 0)) {
                    float *next = stages + last * T::STAGE_FLOATS;

                    ptx_mbarrier_wait(&empty[last], last_turn);
                    if (ORDERS && threadIdx.x == 0)
                        order_stage<T, HOW_A, HOW_B>(&ma, &mb, i0, j0,
                                                     p0 + 32 * (T::STAGES - 1),
                                                     next, &full[last]);
                    if (HOW_A == TURNED)
                        feed_copy<0>(fa, next, 0);
                    if (HOW_B == TURNED)
                        feed_copy<0>(fb, next + T::A_FLOATS, 0);
                }
                if (TURNS)
                    async_commit();
                last = slot;
                last_turn = turn;
                p0 += 32;
            }
#pragma unroll
            for (int p = 0; p < T::RUN; p++) {
                const int after = (p + 1) % T::RUN;

                if (after == 0) {
                    /* go on to the next steps */
                    near_a += T::RUN * WA;
                    near_b += T::RUN * WB;
                    if (q + T::RUN == T::STEPS) {
                        /* leave a stage */
                        __syncwarp();
                        if (lane == 0)
                            ptx_mbarrier_arrive(&empty[slot]);
                        if (t + 1 < end) {
                            slot = slot + 1 < T::STAGES ? slot + 1 : 0;
                            turn ^= slot == 0;
                            ptx_mbarrier_wait(&full[slot], turn);
                        }
                        near_a = stages + slot * T::STAGE_FLOATS + x;
                        near_b = stages + slot * T::STAGE_FLOATS + y;
                    }
                }
                load_step<T>(xs[(p + 1) % 2], ys[(p + 1) % 2],
                             near_a + after * WA, near_b + after * WB);
#pragma unroll
                for (int e = 0; e < T::TM * T::TN; e++) {
                    int2 at = T::product(e);

                    c[at.x][at.y] += xs[p % 2][at.x] * ys[p % 2][at.y];
                }
            }
        }
    }
    __syncthreads();

/* write through shared memory */
#pragma unroll
    for (int e = 0; e < T::TM; e++)
#pragma unroll
        for (int f = 0; f < T::TN; f += 4)
            *(float4 *)&mine[(of.x * 4 + T::down(e)) * T::WIDE +
                             ((of.y + f / 4 * T::COLS) ^ of.x % 2 * 4) * 4] =
                make_float4(c[e][f + 1], c[e][f], c[e][f + 3], c[e][f + 2]);
    __syncthreads();
#pragma unroll 4
    for (int q = threadIdx.x; q < T::M * T::N / 4; q += T::THREADS) {
        int w = q / (T::TALL * T::WIDE / 4), row = q / (T::WIDE / 4) % T::TALL;
        int four = q % (T::WIDE / 4);
        int put = (w * T::TALL + row) * T::WIDE + (four ^ row / 4 % 2 * 4) * 4;
        float4 v, sum = make_float4(0, 0, 0, 0);

#pragma unroll
        for (int s = 0; s < T::SLICES; s++) {
            v = *(const float4 *)&stages[put + s * T::M * T::N];
            sum =
                make_float4(sum.x + v.y, sum.y + v.x, sum.z + v.w, sum.w + v.z);
        }
        i = w / wide * T::TALL + row;
        j = w % wide * T::WIDE + four * 4;
        if (sums)
            *(float4 *)&sums[i * T::N + j] = sum;
        else
            put_four<1>(g, i0 + i, j0 + j, sum);
    }
}

/* say what a tensor map can describe */
/* Whether the current device has bulk copies (9.0). */
static inline int bulk_here(void)
{
    int device, major;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                      device));
    return major >= 9;
}

/* Whether a product can be computed in bulk. What is stored along k is turned
   by copies of 4 bytes, which want nothing. */
static inline int bulk_can(char ta, char tb, const float *a, size_t lda,
                           const float *b, size_t ldb)
{
    return (ta == 'N' || in_fours(a, lda, 4)) &&
           (tb == 'T' || in_fours(b, ldb, 4));
}

/* 32 rows of `wide` floats of x, which has so many rows and columns. */
static inline CUtensorMap bulk_map(const float *x, int rows, int cols,
                                   size_t ld, unsigned wide)
{
    const uint64_t size[2] = {(uint64_t)cols, (uint64_t)rows};
    const uint64_t stride[1] = {4 * ld};
    const unsigned box[2] = {wide, 32};
    CUtensorMap map;
    int wrong = ptx_tensor_map(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void *)x, size, stride, box,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    CHECK(!wrong, "no tensor map of %d x %d floats: driver error %d", rows,
          cols, wrong);
    return map;
}

/* launch tiles in bulk */
template <class T, int HOW_A, int HOW_B>
static inline void launch_boxes(struct gemm g, cudaStream_t stream)
{
    void (*kernel)(const struct gemm, const CUtensorMap, const CUtensorMap) =
        multiply_bulk<T, HOW_A, HOW_B>;
    int deep = (int)ceil_div((size_t)g.k, 32), rest;
    CUtensorMap ma = {}, mb = {};
    struct adding add = {g.m, g.n,     T::M,   T::N,   0,   0,         0,
                         0,   g.alpha, g.beta, g.sums, g.c, {g.ldc, 1}};

    if (HOW_A == BULK)
        ma = bulk_map(g.a, g.k, g.m, g.lda, T::M);
    if (HOW_B == BULK)
        mb = bulk_map(g.b, g.k, g.n, g.ldb, T::N);
    g.down = (int)ceil_div((size_t)g.m, T::M);
    g.across = (int)ceil_div((size_t)g.n, T::N);
    /* divide what is not computed whole */
    rest = g.down * g.across - g.whole;
    if (rest <= 0 || g.parts <= 1 || deep <= 1) {
        g.whole += rest;
        rest = 0;
    }
    g.each = (int)ceil_div((size_t)deep, (size_t)(g.parts > 1 ? g.parts : 1));
    g.parts = rest > 0 ? (int)ceil_div((size_t)deep, (size_t)g.each) : 1;
    add.down = g.down;
    add.across = g.across;
    add.first = g.whole;
    add.parts = g.parts;
    CUDA_CHECK(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BULK_BYTES));
    kernel<<<(unsigned)(g.whole + rest * g.parts), T::THREADS, T::BULK_BYTES,
             stream>>>(g, ma, mb);
    CUDA_LAUNCH_CHECK();
    if (rest > 0)
        launch_add(&add, rest, stream);
}

/* Arguments as launch_tiles. bulk_here and bulk_can say yes, and k is not 0. */
template <class T>
static inline void launch_bulk(char ta, char tb, const struct gemm *g,
                               cudaStream_t stream)
{
    if (ta == 'N' && tb == 'N')
        launch_boxes<T, TURNED, BULK>(*g, stream);
    else if (ta == 'N')
        launch_boxes<T, TURNED, TURNED>(*g, stream);
    else if (tb == 'N')
        launch_boxes<T, BULK, BULK>(*g, stream);
    else
        launch_boxes<T, BULK, TURNED>(*g, stream);
}

#endif

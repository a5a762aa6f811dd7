/* bulk.cuh: products of matrices by tiles that come in bulk. */
#ifndef GEMM_BULK_CUH
#define GEMM_BULK_CUH

#include "gemm/launch.cuh"
#include "loom/ptx.h"

/* name the sizes of tiles in bulk */
enum { BULK = TURNED + 1 }; /* one more way in: boxes of a tensor map */
enum { BRINGERS = 128 };    /* threads that copy, the first of a block */

/* Where registers cannot change hands, one block must do for an SM. */
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define BULK_BLOCKS(T) 1
#else
#define BULK_BLOCKS(T) T::BLOCKS
#endif

/* Lanes are in pairs where a patch is small. */
#define BULK_WAYS(TM, TN) ((TM) * (TN) > 64 ? (int)SNAKE : SNAKE + PAIRS)

/* As tile, with 32 steps in a stage, RUN of which are written out. */
template <int M_, int N_, int TM_, int TN_, int SLICES_, int STAGES_,
          int BLOCKS_, int RUN_ = 8>
struct bulk : tile<M_, N_, 32, TM_, TN_, SLICES_, STAGES_, BLOCKS_,
                   BULK_WAYS(TM_, TN_)> {
    typedef tile<M_, N_, 32, TM_, TN_, SLICES_, STAGES_, BLOCKS_,
                 BULK_WAYS(TM_, TN_)>
        base;
    enum {
        RUN = RUN_,
        TALL = base::ROWS * TM_, /* a warp's part of the tile */
        WIDE = base::COLS * TN_,
        IN_SLICE = base::GROUP / 32, /* warps */
        BULK_BYTES = 4 * base::FLOATS + 16 * STAGES_,
        /* registers of a thread: at first, of a bringer, of the others */
        ALL = BRINGERS + base::THREADS,
        SHARE = 65536 / (BLOCKS_ * ALL) / 8 * 8,
        FEW = 32,
        MANY = (SHARE * ALL - FEW * BRINGERS) / base::THREADS / 8 * 8
    };

    static_assert(STAGES_ >= 3, "one in use, one arriving, one being filled");
    static_assert(M_ <= 256 && N_ <= 256, "the side of a box");
    static_assert(base::STEPS % RUN_ == 0 && RUN_ % 2 == 0, "whole runs");
    static_assert(SLICES_ * M_ * N_ <= base::FLOATS, "sums fit in the stages");
    static_assert(base::ROWS == 4, "every second four rows are exchanged");

    static __device__ void few_registers(void)
    {
        if constexpr (base::THREADS % 128 == 0)
            ptx_fewer_registers<FEW>();
    }
    static __device__ void many_registers(void)
    {
        if constexpr (base::THREADS % 128 == 0)
            ptx_more_registers<MANY>();
    }
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

/* bring a tile by copies */
/* Starts a bringer's copies of 32 steps from p on, those below 0 as zeros, of
   W rows or columns from `first` on; behind the last of `width` it is the
   last again. */
template <int W, int HOW>
static __device__ inline void bring_copies(float *to, const float *x, int ld,
                                           int first, int width, int p)
{
    enum { LINE = HOW == TURNED ? 8 : W < BRINGERS ? W : (int)BRINGERS };
    enum { LINES = BRINGERS / LINE };
    int self = __shfl_sync(0xffffffff, (int)threadIdx.x, threadIdx.x % 32);
    int col = self % LINE, row = self / LINE;

    if (HOW == TURNED)
#pragma unroll
        for (int r = row; r < row + W; r += LINES) {
            const float *from =
                x + (ptrdiff_t)min(first + r, width - 1) * ld + p + col;

#pragma unroll
            for (int q = 0; q < 32; q += LINE)
                async_copy<4>(&to[(q + col) * (W + PAD) + r], from + q,
                              p + col + q >= 0);
        }
    else
#pragma unroll
        for (int c = col; c < col + W; c += LINE) {
            const float *from =
                x + (ptrdiff_t)(p + row) * ld + min(first + c, width - 1);

#pragma unroll 8
            for (int r = row; r < row + 32; r += LINES, from += LINES * ld)
                async_copy<4>(&to[r * (W + PAD) + c], from, p + r >= 0);
        }
}

/* multiply by tiles in bulk */
template <class T, int HOW_A, int HOW_B>
__global__ void __launch_bounds__(BRINGERS + T::THREADS, BULK_BLOCKS(T))
    multiply_bulk(const __grid_constant__ struct gemm g,
                  const __grid_constant__ CUtensorMap ma,
                  const __grid_constant__ CUtensorMap mb)
{
    /* divide shared memory for tiles in bulk */
    enum {
        COPIES = HOW_A != BULK || HOW_B != BULK,
        ORDERS = HOW_A == BULK || HOW_B == BULK,
        WA = T::M + (HOW_A == BULK ? 0 : PAD), /* a row in shared memory */
        WB = T::N + (HOW_B == BULK ? 0 : PAD)
    };
    extern __shared__ __align__(128) float boxes_in[];
    float *stages = boxes_in;
    uint64_t *full = (uint64_t *)(stages + T::FLOATS);
    uint64_t *empty = full + T::STAGES;
    /* find a thread's place in bulk */
    int rest = blockIdx.x - g.whole, part = rest < 0 ? 0 : rest % g.parts;
    int2 at = find_tile(rest < 0 ? blockIdx.x : g.whole + rest / g.parts,
                        g.down, g.across);
    float *sums = rest < 0 ? NULL : g.sums + (size_t)rest * T::M * T::N;
    int i0 = at.x * T::M, j0 = at.y * T::N;
    int self = (int)threadIdx.x - BRINGERS; /* below 0: a bringer */
    int slice = self / T::GROUP, inner = self % T::GROUP;
    int warp = inner / 32, lane = threadIdx.x % 32;
    int wide = T::N / (T::COLS * T::TN);
    int2 of = T::place(lane);
    int i = warp / wide * T::ROWS * T::TM + of.x * 4;
    int j = warp % wide * T::COLS * T::TN + of.y * 4;
    int x = __shfl_sync(0xffffffff, slice * T::STEPS * WA + i, lane);
    int y =
        __shfl_sync(0xffffffff, slice * T::STEPS * WB + j + T::A_FLOATS, lane);
    const float *near_a = stages + x, *near_b = stages + y;
    float *mine = stages + (slice * T::IN_SLICE + warp) * T::TALL * T::WIDE;
    float c[T::TM][T::TN] = {}, xs[2][T::TM], ys[2][T::TN];
    /* make the barriers of the stages */
    int deep = (g.k + 31) / 32, slot = 0, turn = 0;
    int t = part * g.each, end = rest < 0 ? deep : min(t + g.each, deep);
    int p0 = (t - deep) * 32 + g.k; /* tile t's first step; -31 or more */

    if (threadIdx.x == 0) {
        for (int s = 0; s < T::STAGES; s++) {
            ptx_mbarrier_init(&full[s], ORDERS + (COPIES ? BRINGERS / 32 : 0));
            ptx_mbarrier_init(&empty[s], T::THREADS / 32);
        }
        ptx_fence_mbarrier_init();
    }
    __syncthreads();
    if (self < 0) {
        T::few_registers();

/* bring the tiles */
#pragma unroll 1
        for (int s = 0; t + s < end + COPIES && (COPIES || threadIdx.x == 0);
             s++, p0 += 32) {
            float *next = stages + slot * T::STAGE_FLOATS;

            if (s >= T::STAGES && t + s < end)
                ptx_mbarrier_wait(&empty[slot], turn ^ 1);
            if (ORDERS && threadIdx.x == 0 && t + s < end)
                order_stage<T, HOW_A, HOW_B>(&ma, &mb, i0, j0, p0, next,
                                             &full[slot]);
            if (HOW_A != BULK && t + s < end)
                bring_copies<T::M, HOW_A>(next, g.a, (int)g.lda, i0, g.m, p0);
            if (HOW_B != BULK && t + s < end)
                bring_copies<T::N, HOW_B>(next + T::A_FLOATS, g.b, (int)g.ldb,
                                          j0, g.n, p0);
            if (COPIES) {
                /* report the copies of the stage before */
                int before = (slot > 0 ? slot : (int)T::STAGES) - 1;

                async_commit();
                async_wait<1>();
                __syncwarp();
                if (s > 0 && lane == 0)
                    ptx_mbarrier_arrive(&full[before]);
            }
            slot = slot + 1 < T::STAGES ? slot + 1 : 0;
            turn ^= slot == 0;
        }
    } else {
        T::many_registers();
        if (t < end) {
            ptx_mbarrier_wait(&full[0], 0);
            load_step<T>(xs[0], ys[0], near_a, near_b);
        }
        for (; t < end; t++) {

/* multiply what came in bulk */
#pragma unroll 1
            for (int q = 0; q < T::STEPS; q += T::RUN) {
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
        ptx_barrier_at(1, T::THREADS); /* all stages are read */

/* write through shared memory */
#pragma unroll
        for (int e = 0; e < T::TM; e++)
#pragma unroll
            for (int f = 0; f < T::TN; f += 4)
                *(float4
                      *)&mine[(of.x * 4 + T::down(e)) * T::WIDE +
                              ((of.y + f / 4 * T::COLS) ^ of.x % 2 * 4) * 4] =
                    make_float4(c[e][f + 1], c[e][f], c[e][f + 3], c[e][f + 2]);
        ptx_barrier_at(1, T::THREADS);
#pragma unroll 4
        for (int q = self; q < T::M * T::N / 4; q += T::THREADS) {
            int w = q / (T::TALL * T::WIDE / 4), four = q % (T::WIDE / 4);
            int row = q / (T::WIDE / 4) % T::TALL;
            int put =
                (w * T::TALL + row) * T::WIDE + (four ^ row / 4 % 2 * 4) * 4;
            float4 v, sum = make_float4(0, 0, 0, 0);

#pragma unroll
            for (int s = 0; s < T::SLICES; s++) {
                v = *(const float4 *)&stages[put + s * T::M * T::N];
                sum = make_float4(sum.x + v.y, sum.y + v.x, sum.z + v.w,
                                  sum.w + v.z);
            }
            i = w / wide * T::TALL + row;
            j = w % wide * T::WIDE + four * 4;
            if (sums)
                *(float4 *)&sums[i * T::N + j] = sum;
            else
                put_four<1>(g, i0 + i, j0 + j, sum);
        }
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
    kernel<<<(unsigned)(g.whole + rest * g.parts), BRINGERS + T::THREADS,
             T::BULK_BYTES, stream>>>(g, ma, mb);
    CUDA_LAUNCH_CHECK();
    if (rest > 0)
        launch_add(&add, rest, stream);
}

/* Arguments as launch_tiles. bulk_here says yes, and k is not 0. */
template <class T>
static inline void launch_bulk(char ta, char tb, const struct gemm *g,
                               cudaStream_t stream)
{
    int fa = in_fours(g->a, g->lda, 4), fb = in_fours(g->b, g->ldb, 4);

    if (ta == 'N' && tb == 'T')
        launch_boxes<T, TURNED, TURNED>(*g, stream);
    else if (ta == 'N' && fb)
        launch_boxes<T, TURNED, BULK>(*g, stream);
    else if (ta == 'N')
        launch_boxes<T, TURNED, BY_ONE>(*g, stream);
    else if (tb == 'T' && fa)
        launch_boxes<T, BULK, TURNED>(*g, stream);
    else if (tb == 'T')
        launch_boxes<T, BY_ONE, TURNED>(*g, stream);
    else if (fa && fb)
        launch_boxes<T, BULK, BULK>(*g, stream);
    else
        launch_boxes<T, BY_ONE, BY_ONE>(*g, stream);
}

#endif

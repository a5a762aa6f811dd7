/* tiles.cuh: products of matrices by tiles of tiles. */
#ifndef GEMM_TILES_CUH
#define GEMM_TILES_CUH

#include "kernels/launch.h"
#include "matmul/args.h"
#include "memory/async.cuh"

enum { STRIP = 8 }; /* rows of tiles that are computed together */

/* name the ways in */
/* How an operand comes into shared memory: 16 bytes at a time or 4, along the
   rows of its tile; or turned on the way, 4 bytes at a time. */
enum way_in { BY_4, BY_ONE, TURNED };

enum { PAD = 4 }; /* floats behind each row of a tile in shared memory */

/* name the ways through */
/* Ways through the tiles. The products of a step: by rows, or along a snake by
   rows or by columns. PAIRS: neighboring lanes share their columns. SINGLES: C
   is written one number at a time. */
enum { ROWWISE = 0, SNAKE = 1, COLUMNS = 2, PAIRS = 4, SINGLES = 8 };

/* name the sizes of the tiles */
/* A block has M x N elements of C and takes K steps at a time; a thread has
   TM x TN, and a warp has ROWS threads down and 32 / ROWS across. SLICES groups
   of warps share the steps. Shared memory holds STAGES tiles of A and of B; an
   SM has BLOCKS blocks. WAYS is a sum of the ways above. */
template <int M_, int N_, int K_, int TM_, int TN_, int SLICES_, int STAGES_,
          int BLOCKS_, int WAYS_ = COLUMNS + PAIRS + SINGLES>
struct tile {
    enum {
        M = M_,
        N = N_,
        K = K_,
        TM = TM_,
        TN = TN_,
        SLICES = SLICES_,
        STAGES = STAGES_,
        BLOCKS = BLOCKS_,
        WAYS = WAYS_,
        /* derive the other sizes */
        ROWS = M / TM < 4   ? M / TM
               : N / TN < 8 ? 32 * TN / N
                            : 4,
        COLS = 32 / ROWS,
        GROUP = M / TM * (N / TN), /* threads in a slice */
        THREADS = GROUP * SLICES,
        STEPS = K / SLICES, /* of a slice in a tile */
        A_FLOATS = K * (M + PAD),
        STAGE_FLOATS = A_FLOATS + K * (N + PAD),
        ALL_STAGES = STAGES * STAGE_FLOATS,
        SUMS = SLICES * M * N, /* where there are slices */
        FLOATS = SLICES > 1 && SUMS > ALL_STAGES ? SUMS : ALL_STAGES
    };

    /* refuse sizes that do not fit */
    static_assert(GROUP % 32 == 0 && M % (ROWS * TM) == 0 &&
                      N % (COLS * TN) == 0,
                  "a slice is made of whole warps");
    static_assert(TM % 4 == 0 && TN % 4 == 0, "a thread loads four at a time");
    static_assert(K % (8 * SLICES) == 0 || (K % 8 == 0 && K % SLICES == 0),
                  "slices have the same steps, and a turned tile eights");
    static_assert(STAGES >= 2, "one tile is in use while the next arrives");

    /* say where a thread's rows and columns lie */
    static_assert(!(WAYS & PAIRS) || ROWS % 2 == 0, "pairs of lanes need rows");

    /* A lane's row and column in its warp. */
    static __device__ inline int2 place(int lane)
    {
        if (WAYS & PAIRS)
            return make_int2(lane % 2 + lane / (2 * COLS) * 2, lane / 2 % COLS);
        return make_int2(lane / COLS, lane % COLS);
    }

    /* How far row e of a thread lies below its first. */
    static __device__ inline int down(int e)
    {
        return e / 4 * 4 * ROWS + e % 4;
    }
    /* say in which order products are made */
    /* Row and column of product number e of a step. */
    static __device__ inline int2 product(int e)
    {
        int run = WAYS & COLUMNS ? TM : TN, line = e / run, at = e % run;

        if (WAYS & (SNAKE | COLUMNS) && line % 2)
            at = run - 1 - at;
        return WAYS & COLUMNS ? make_int2(at, line) : make_int2(line, at);
    }
};

/* describe a product to a tiled kernel */
struct gemm {
    int m, n, k;
    int down, across; /* tiles in a column and in a row of C */
    int whole;        /* so many tiles are computed by one block each ... */
    int parts, each;  /* ... and the others by parts of k; tiles of k in each */
    float alpha, beta;
    const float *a, *b;
    float *c, *sums; /* sums: a tile of them for each part */
    size_t lda, ldb, ldc;
};

/* say what a thread copies */
/* A thread's share of the copies of one operand's tile, K x W in shared memory
   (W along C's side). LINE threads are neighbors in memory, LINES such lines
   copy at once. */
template <class T, int W, int HOW>
struct feed {
    enum {
        V = HOW == BY_4 ? 4 : 1,
        FULL = HOW == TURNED ? 8 : W / V,
        LINE = FULL < T::THREADS ? FULL : T::THREADS,
        LINES = T::THREADS / LINE,
        TALL = HOW == TURNED ? W : T::K,
        DOWN = TALL > LINES ? TALL / LINES : 1,
        ALONG = HOW == TURNED ? T::K / 8 : FULL / LINE,
        OFFSETS = HOW == TURNED ? DOWN : ALONG
    };
    const float *from;
    size_t step; /* from a step of k to the next */
    int row, col, offset[OFFSETS];

    static_assert(FULL % LINE == 0 && T::THREADS % LINE == 0 &&
                      TALL % DOWN == 0 && (DOWN == 1 || TALL / DOWN == LINES),
                  "the threads of a block divide the copies of a tile");
};

/* find where a thread copies from */
/* The tile begins at element `first` of `width` along C's side, and at step p
   of k. What lies beyond the width is replaced by the last element: its
   products are not written. */
template <class T, int W, int HOW>
static __device__ inline void feed_start(feed<T, W, HOW> &f, const float *x,
                                         size_t ld, int first, int width, int p)
{
    typedef feed<T, W, HOW> F;

    f.row = threadIdx.x / F::LINE;
    f.col = threadIdx.x % F::LINE;
    f.step = HOW == TURNED ? 1 : ld;
    if (HOW == TURNED)
        f.from = x + (ptrdiff_t)(first * ld) + p + f.col;
    else
        f.from = x + (p + f.row) * (ptrdiff_t)ld;
    for (int q = 0; q < F::OFFSETS; q++)
        if (HOW == TURNED)
            f.offset[q] =
                min(f.row + q * F::LINES, width - 1 - first) * (int)ld;
        else
            f.offset[q] =
                min(first + (f.col + q * F::LINE) * F::V, width - F::V);
}

/* copy a tile */
/* Starts the copies of the next tile. MASKED: it begins at step p of k, and
   steps below 0 are zeros. */
template <int MASKED, class T, int W, int HOW>
static __device__ inline void feed_copy(feed<T, W, HOW> &f, float *to, int p)
{
    typedef feed<T, W, HOW> F;

#pragma unroll
    for (int r = 0; r < F::DOWN; r++)
#pragma unroll
        for (int q = 0; q < F::ALONG; q++) {
            int line = f.row + r * F::LINES;
            int step = HOW == TURNED ? f.col + q * 8 : line;
            int side = HOW == TURNED ? line : (f.col + q * F::LINE) * F::V;
            const float *from =
                HOW == TURNED ? f.from + f.offset[r] + q * 8
                              : f.from + r * F::LINES * f.step + f.offset[q];

            if (F::TALL >= F::LINES || line < F::TALL)
                async_copy<4 * F::V>(&to[step * (W + PAD) + side], from,
                                     !MASKED || p + step >= 0);
        }
    f.from += T::K * f.step;
}

/* load a thread's numbers */
/* COUNT numbers of a row in shared memory, by fours that lie GAP apart. */
template <int COUNT, int GAP>
static __device__ inline void load_fours(float *to, const float *from)
{
#pragma unroll
    for (int q = 0; q < COUNT / 4; q++)
        *(float4 *)&to[4 * q] = *(const float4 *)&from[q * GAP];
}

/* load the numbers of a step */
template <class T>
static __device__ inline void load_step(float *x, float *y, const float *a,
                                        const float *b)
{
    load_fours<T::TM, 4 * T::ROWS>(x, a);
    load_fours<T::TN, 4 * T::COLS>(y, b);
}

/* write four elements of C */
/* Elements (i, j) to (i, j + 3), as far as they are in C. */
template <int VECTOR>
static __device__ inline void put_four(const struct gemm &g, int i, int j,
                                       float4 v)
{
    float *out = &g.c[i * g.ldc + j], sum[4] = {v.x, v.y, v.z, v.w};
    int count = min(4, g.n - j);

    if (i >= g.m)
        return;
    for (int q = 0; q < 4; q++)
        sum[q] = g.alpha * sum[q] +
                 (g.beta == 0 || q >= count ? 0 : g.beta * out[q]);
    if (VECTOR && count == 4 && (size_t)out % 16 == 0)
        *(float4 *)out = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
        for (int q = 0; q < 4; q++)
            if (q < count)
                out[q] = sum[q];
}

/* find a tile */
/* Tiles are taken in strips of STRIP rows of tiles, each strip by columns. */
static __device__ inline int2 find_tile(int tile, int down, int across)
{
    int strip = tile / (STRIP * across), rest = tile % (STRIP * across);
    int tall = min((int)STRIP, down - strip * STRIP);

    return make_int2(strip * STRIP + rest % tall, rest / tall);
}

/* write four sums */
/* The sums of elements (i, j) to (i, j + 3) of the tile at (i0, j0). */
template <class T>
static __device__ inline void put_sums(const struct gemm &g, float *sums,
                                       int i0, int j0, int i, int j,
                                       const float *c)
{
    for (int q = 0; q < 4 && sums; q++)
        sums[i * T::N + j + q] = c[q];
    if (!sums)
        put_four<!(T::WAYS & SINGLES)>(g, i0 + i, j0 + j,
                                       make_float4(c[0], c[1], c[2], c[3]));
}

/* multiply by tiles of tiles */
template <class T, int HOW_A, int HOW_B>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    multiply_tiles(const __grid_constant__ struct gemm g)
{
    extern __shared__ __align__(16) float stages[];
    /* find a thread's place */
    int rest = blockIdx.x - g.whole, part = rest < 0 ? 0 : rest % g.parts;
    int2 at = find_tile(rest < 0 ? blockIdx.x : g.whole + rest / g.parts,
                        g.down, g.across);
    float *sums = rest < 0 ? NULL : g.sums + (size_t)rest * T::M * T::N;
    /* find a thread's place in its tile */
    int i0 = at.x * T::M, j0 = at.y * T::N;
    int slice = threadIdx.x / T::GROUP, inner = threadIdx.x % T::GROUP;
    int warp = inner / 32, lane = inner % 32, wide = T::N / (T::COLS * T::TN);
    int2 of = T::place(lane);
    int i = warp / wide * T::ROWS * T::TM + of.x * 4;
    int j = warp % wide * T::COLS * T::TN + of.y * 4;
    int x = slice * T::STEPS * (T::M + PAD) + i;
    int y = slice * T::STEPS * (T::N + PAD) + j + T::A_FLOATS;
    float c[T::TM][T::TN] = {}, xs[2][T::TM], ys[2][T::TN];
    /* start the copies of the first tiles */
    int deep = (g.k + T::K - 1) / T::K, slot = 0, spare = T::STAGES - 1;
    int t = part * g.each, end = rest < 0 ? deep : min(t + g.each, deep);
    int p = (t - deep) * T::K + g.k;
    /* start the copies from step p on */
    feed<T, T::M, HOW_A> fa;
    feed<T, T::N, HOW_B> fb;

    feed_start(fa, g.a, g.lda, i0, g.m, p);
    feed_start(fb, g.b, g.ldb, j0, g.n, p);
    if (t < end) {
        feed_copy<1>(fa, stages, p);
        feed_copy<1>(fb, stages + T::A_FLOATS, p);
    }
    async_commit();
    for (int s = 1; s < T::STAGES - 1; s++) {
        float *next = stages + s * T::STAGE_FLOATS;

        if (t + s < end) {
            feed_copy<0>(fa, next, 0);
            feed_copy<0>(fb, next + T::A_FLOATS, 0);
        }
        async_commit();
    }
    async_wait<T::STAGES - 2>();
    __syncthreads();
    if (t < end)
        load_step<T>(xs[0], ys[0], stages + x, stages + y);
    for (; t < end; t++) {

/* multiply what a stage holds */
#pragma unroll
        for (int p = 0; p < T::STEPS; p++) {
            const int after = p + 1 < T::STEPS ? p + 1 : 0;

            if (after == 0) {
                slot = slot + 1 < T::STAGES ? slot + 1 : 0;
                async_wait<T::STAGES - 2>();
                __syncthreads();
            }
            if (after > 0 || t + 1 < end) {
                const float *now = stages + slot * T::STAGE_FLOATS;

                load_step<T>(xs[(p + 1) % 2], ys[(p + 1) % 2],
                             now + x + after * (T::M + PAD),
                             now + y + after * (T::N + PAD));
            }
            if (p == 0) {
                /* copy the tile after the next */
                if (t + T::STAGES - 1 < end) {
                    float *next = stages + spare * T::STAGE_FLOATS;

                    feed_copy<0>(fa, next, 0);
                    feed_copy<0>(fb, next + T::A_FLOATS, 0);
                }
                async_commit();
                spare = spare + 1 < T::STAGES ? spare + 1 : 0;
            }

/* multiply a column by a row */
#pragma unroll
            for (int e = 0; e < T::TM * T::TN; e++) {
                int2 at = T::product(e);

                c[at.x][at.y] += xs[p % 2][at.x] * ys[p % 2][at.y];
            }
        }
    }
    if (T::SLICES == 1) {

/* write a thread's elements */
#pragma unroll
        for (int e = 0; e < T::TM; e++)
#pragma unroll
            for (int f = 0; f < T::TN; f += 4)
                put_sums<T>(g, sums, i0, j0, i + T::down(e), j + f * T::COLS,
                            &c[e][f]);
    } else {
        __syncthreads();

/* add the slices and write */
#pragma unroll
        for (int e = 0; e < T::TM * T::TN; e++)
            stages[(slice * T::TM * T::TN + e) * T::GROUP + inner] =
                c[e / T::TN][e % T::TN];
        __syncthreads();
        for (int e = 4 * slice; e < T::TM * T::TN; e += 4 * T::SLICES) {
            int row = e / T::TN, col = e % T::TN;
            float sum[4] = {};

            for (int s = 0; s < T::SLICES; s++)
                for (int q = 0; q < 4; q++)
                    sum[q] +=
                        stages[(s * T::TM * T::TN + e + q) * T::GROUP + inner];
            put_sums<T>(g, sums, i0, j0, i + T::down(row), j + col * T::COLS,
                        sum);
        }
    }
}

#endif

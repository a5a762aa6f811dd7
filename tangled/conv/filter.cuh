/* filter.cuh: the filter gradient, without atomics: each of several splits of
   the output rows makes its own sums, and these are added in order. */
#ifndef CONV_FILTER_CUH
#define CONV_FILTER_CUH

#include <cuda_pipeline.h>

#include "conv/implicit.cuh"

/* plan a filter gradient */
enum filter_kind { FILTER_DIRECT, FILTER_NINE, FILTER_TILE };
enum { TILE_K = 64, TILE_C = 32, TILE_Q = 30, TILE_ALL = TILE_K * TILE_C * 9 };

/* How a filter gradient is made: by which kernel, in how many splits, each with
   how many partial sums. */
struct filter_plan {
    enum filter_kind kind;
    int splits;
    size_t sums;
    int P, Q, tiles_c;
};

/* The plan that works for every shape. */
static inline struct filter_plan filter_plan_direct(const struct conv *v)
{
    struct filter_plan f = {FILTER_DIRECT, 264,
                            conv_w(v),     conv_out_h(v),
                            conv_out_w(v), (v->c + TILE_C - 1) / TILE_C};

    if (f.splits > (int64_t)v->n * f.P)
        f.splits = v->n * f.P;
    return f;
}
/* The best plan for a shape. */
static inline struct filter_plan filter_plan(const struct conv *v)
{
    struct filter_plan f = filter_plan_direct(v);
    size_t tiles = ceil_div((size_t)v->k, TILE_K) * (size_t)f.tiles_c;

    if (v->r == 3 && v->s == 3 && v->stride == 1 && v->dilation == 1) {
        f.kind = f.sums * 2 >= tiles * TILE_ALL ? FILTER_TILE : FILTER_NINE;
        if (f.kind == FILTER_TILE)
            f.sums = tiles * TILE_ALL;
    }
    return f;
}

/* Bytes of work space that launch_conv_filter_gradient wants; at least 4. */
static inline size_t conv_filter_gradient_bytes(const struct conv *v)
{
    struct filter_plan f = filter_plan(v);

    return ((size_t)f.splits * f.sums + 1) * sizeof(float);
}

/* share the rows among the splits */
/* The first output row of a split, of all rows of all images. */
static __device__ inline int filter_row(struct conv v, struct filter_plan f,
                                        int split)
{
    return (int)((long long)v.n * f.P * split / f.splits);
}

/* find the weight of a partial sum */
/* The weight that partial sum e belongs to, or -1: a tile may reach beyond the
   last filter or channel. In a tile the sums lie as the threads write them. */
static __device__ inline int filter_weight(struct conv v, struct filter_plan f,
                                           int e)
{
    int tile = e / TILE_ALL, thread = e % 256, sum = e % TILE_ALL / 256;
    int c = tile % f.tiles_c * TILE_C + thread / 8;
    int k = tile / f.tiles_c * TILE_K + sum / 36 * 32 + thread % 8 * 4 +
            sum / 9 % 4;

    if (f.kind != FILTER_TILE)
        return e;
    return k < v.k && c < v.c ? (k * v.c + c) * 9 + sum % 9 : -1;
}

/* Keeps partial sum e of a split, or, with ATOMIC, adds it to dw at once. */
template <int ATOMIC>
static __device__ inline void keep_sum(struct conv v, struct filter_plan f,
                                       int split, int e, float sum, float *to)
{
    if (!ATOMIC) {
        to[split * f.sums + e] = sum;
    } else {
        int weight = filter_weight(v, f, e);

        if (weight >= 0)
            atomicAdd(&to[weight], sum);
    }
}

/* sum one weight's gradient per warp */
/* A warp takes one weight, its lanes the columns: any shape. */
__global__ void filter_direct(struct conv v, struct filter_plan f,
                              const float *x, const float *dy, float *part)
{
    int e = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    int i = e / v.s % v.r, j = e % v.s, kc = e / (v.s * v.r);
    int end = filter_row(v, f, blockIdx.y + 1);
    float sum = 0;

    if (e >= (int)f.sums)
        return;
    for (int at = filter_row(v, f, blockIdx.y); at < end; at++) {
        /* add the products of one row and one weight */
        int n = at / f.P, p = at % f.P, k = kc / v.c, c = kc % v.c;
        int row = p * v.stride + i * v.dilation - v.pad;
        const float *xr = x + conv_row(v.c, v.h, v.w, n, c, row);
        const float *dyr = dy + conv_row(v.k, f.P, f.Q, n, k, p);

        for (int q = lane; q < f.Q && row >= 0 && row < v.h; q += 32) {
            int col = q * v.stride + j * v.dilation - v.pad;

            if (col >= 0 && col < v.w)
                sum += xr[col] * dyr[q];
        }
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0)
        part[blockIdx.y * f.sums + e] = sum;
}

/* load four places */
/* d[j] = row[q + j], or 0 from Q on. by_four: as one float4. */
static __device__ inline void load_places(const float *row, int q, int Q,
                                          int by_four, float *d)
{
    if (by_four && q < Q)
        load_fours<4>(&row[q], 0, d);
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (!by_four || q >= Q)
            d[j] = q + j < Q ? row[q + j] : 0;
}

/* add nine products for each of four filters */
static __device__ inline void add_places(const float (*d)[4],
                                         const float (*in)[6], float (*sum)[9])
{
#pragma unroll
    for (int k = 0; k < 4; k++)
#pragma unroll
        for (int t = 0; t < 9; t++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[k][t] += d[k][j] * in[t / 3][t % 3 + j];
}

/* spread the sums over lanes */
/* lanes[i][lane] = sum i of 36. */
static __device__ inline void spread_sums(float (*sum)[9], float (*lanes)[33],
                                          int lane)
{
#pragma unroll
    for (int i = 0; i < 36; i++)
        lanes[i][lane] = sum[i / 9][i % 9];
}

/* sum nine taps of four filters per warp */
/* A warp takes four filters and a channel, a lane four columns. */
template <int ATOMIC>
__global__ void __launch_bounds__(256, 2)
    filter_nine(struct conv v, struct filter_plan f, const float *x,
                const float *dy, float *to)
{
    __shared__ float sums[8][36][33];
    int one = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    int c = one % v.c, k0 = one / v.c * 4;
    int end = filter_row(v, f, blockIdx.y + 1), fours = (f.Q + 3) / 4;
    int wide = fours < 32 ? fours : 32, tall = 32 / wide; /* of a step */
    int by_four = f.Q % 4 == 0 && (uintptr_t)dy % 16 == 0;
    float(*lanes)[33] = sums[threadIdx.x / 32], sum[4][9] = {};

    if (k0 >= v.k)
        return;
    for (int at = filter_row(v, f, blockIdx.y); at < end; at += tall)
        for (int q0 = 0; q0 < f.Q; q0 += 4 * wide) {
            /* add the products of four places */
            int row = at + lane / wide, n = row / f.P, p = row % f.P;
            int exists = lane / wide < tall && row < end;
            int q = exists ? q0 + lane % wide * 4 : f.Q;
            float d[4][4], in[3][6];

            for (int k = 0; k < 4; k++)
                load_places(dy + conv_row(v.k, f.P, f.Q, n, k0 + k, p),
                            k0 + k < v.k ? q : f.Q, f.Q, by_four, d[k]);
            load_window(x + conv_row(v.c, v.h, v.w, n, c, 0), exists ? v.h : 0,
                        v.w, p - v.pad, q - v.pad, in);
            add_places(d, in, sum);
        }
    /* add up the lanes and keep their sums */
    spread_sums(sum, lanes, lane);
    __syncwarp();
    for (int i = lane; i < 36; i += 32) {
        int e = ((k0 + i / 9) * v.c + c) * 9 + i % 9;
        float all = 0;

        for (int l = 0; l < 32; l++)
            all += lanes[i][l];
        if (k0 + i / 9 < v.k)
            keep_sum<ATOMIC>(v, f, blockIdx.y, e, all, to);
    }
}

/* add the products of a row */
/* What a block of filter_tile shares: a row of dy, of all its filters, and the
   three rows of x around it, of all its channels. */
struct filter_rows {
    float d[TILE_Q][TILE_K + 4];
    float x[3][TILE_C][TILE_Q + 3];
};
/* sum[k][t] += the products along the row, for this thread's filters and
   channel. */
static __device__ inline void add_window(const struct filter_rows *rows,
                                         int count, float (*sum)[9])
{
    int kt = threadIdx.x % 8, c = threadIdx.x / 8;
    float in[3][3], d[8];

#pragma unroll
    for (int i = 0; i < 6; i++)
        in[i % 3][i / 3] = rows->x[i % 3][c][i / 3];
#pragma unroll 2
    for (int q = 0; q < count; q++) {
        load_fours<8>(&rows->d[q][4 * kt], 32, d);
#pragma unroll
        for (int i = 0; i < 3; i++)
            in[i][2] = rows->x[i][c][q + 2];
#pragma unroll
        for (int i = 0; i < 72; i++)
            sum[i / 9][i % 9] += d[i / 9] * in[i % 9 / 3][i % 3];
#pragma unroll
        for (int i = 0; i < 3; i++)
            in[i][0] = in[i][1], in[i][1] = in[i][2];
    }
}

/* load a row of the gradient and three of the input */
/* Queues the copy of one number, or stores a 0 where there is none. */
static __device__ inline void copy_later(float *to, const float *from,
                                         int exists)
{
    if (exists)
        __pipeline_memcpy_async(to, from, sizeof *to);
    else
        *to = 0;
}
/* Queues the copies of item `item` of a split that begins at row `first`: up to
   TILE_Q columns of a row. `lanes` of a warp, 16 or 32, take a row's columns. */
static __device__ inline void copy_rows(struct conv v, struct filter_plan f,
                                        int first, int item, int lanes,
                                        const float *x, const float *dy, int k0,
                                        int c0, struct filter_rows *to)
{
    int chunks = (f.Q + TILE_Q - 1) / TILE_Q, at = first + item / chunks;
    int n = at / f.P, p = at % f.P, q0 = item % chunks * TILE_Q;
    int lane = threadIdx.x % lanes, one = threadIdx.x / lanes;
    int step = 256 / lanes, col = q0 + lane - v.pad;
    const float *from =
        dy + conv_row(v.k, f.P, f.Q, n, k0 + one, p) + q0 + lane;

    for (int k = one; k < TILE_K; k += step, from += step * f.P * f.Q)
        if (lane < TILE_Q)
            copy_later(&to->d[lane][k], from, k0 + k < v.k && q0 + lane < f.Q);
    for (int i = 0; i < 3; i++) {
        int row = p + i - v.pad, in_row = row >= 0 && row < v.h;

        from = x + conv_row(v.c, v.h, v.w, n, c0 + one, row) + col;
        for (int c = one; c < TILE_C; c += step, from += step * v.h * v.w)
            copy_later(&to->x[i][c][lane], from,
                       in_row && c0 + c < v.c && col >= 0 && col < v.w);
    }
    __pipeline_commit();
}

/* keep a tile's sums */
/* Keeps a thread's sums, as e, e + 256, and so on. */
template <int ATOMIC>
static __device__ inline void keep_tile(struct conv v, struct filter_plan f,
                                        int e, float (*sum)[9], float *to)
{
#pragma unroll
    for (int i = 0; i < 72; i++)
        keep_sum<ATOMIC>(v, f, blockIdx.y, e + i * 256, sum[i / 9][i % 9], to);
}

/* sum a tile of filters by channels */
/* A block takes 64 filters and 32 channels, a thread 8 and 1, all 9 taps. */
template <int ATOMIC>
__global__ void __launch_bounds__(256)
    filter_tile(struct conv v, struct filter_plan f, const float *x,
                const float *dy, float *to)
{
    __shared__ __align__(16) struct filter_rows half[2];
    int first = filter_row(v, f, blockIdx.y), lanes = f.Q + 2 <= 16 ? 16 : 32;
    int chunks = (f.Q + TILE_Q - 1) / TILE_Q;
    int items = (filter_row(v, f, blockIdx.y + 1) - first) * chunks;
    int k0 = blockIdx.x / f.tiles_c * TILE_K;
    int c0 = blockIdx.x % f.tiles_c * TILE_C;
    float sum[8][9] = {};

    copy_rows(v, f, first, 0, lanes, x, dy, k0, c0, &half[0]);
    for (int item = 0; item < items; item++) {
        int count = f.Q - item % chunks * TILE_Q;

        if (item + 1 < items)
            copy_rows(v, f, first, item + 1, lanes, x, dy, k0, c0,
                      &half[(item + 1) % 2]);
        __pipeline_wait_prior(item + 1 < items);
        __syncthreads();
        add_window(&half[item % 2], count < TILE_Q ? count : TILE_Q, sum);
        __syncthreads();
    }
    keep_tile<ATOMIC>(v, f, blockIdx.x * TILE_ALL + threadIdx.x, sum, to);
}

/* add up the splits in order */
/* Row y of a block adds every 16th split, then row 0 adds the 16 sums. */
__global__ void filter_add(struct conv v, struct filter_plan f,
                           const float *part, float *dw)
{
    __shared__ float sums[16][32];
    size_t e = (size_t)blockIdx.x * 32 + threadIdx.x;
    int weight = e < f.sums ? filter_weight(v, f, (int)e) : -1;
    float sum = 0;

#pragma unroll 4
    for (int split = threadIdx.y; split < f.splits; split += 16)
        sum += weight >= 0 ? part[split * f.sums + e] : 0;
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || weight < 0)
        return;
    for (int y = 1; y < 16; y++)
        sum += sums[y][threadIdx.x];
    dw[weight] = sum;
}

/* launch a filter gradient */
/* Queues the kernel that a plan names, with `to` the work space or, with
   ATOMIC, dw itself. */
template <int ATOMIC>
static inline void launch_filter(const struct conv *v, struct filter_plan f,
                                 const float *x, const float *dy, float *to,
                                 cudaStream_t stream)
{
    size_t items = f.kind == FILTER_TILE ? f.sums / TILE_ALL
                   : f.kind == FILTER_NINE
                       ? ceil_div(ceil_div(v->k, 4) * (size_t)v->c, 8)
                       : ceil_div(f.sums, 8);
    dim3 grid((unsigned)items, (unsigned)f.splits);

    if (f.splits == 0)
        return;
    if (f.kind == FILTER_TILE)
        filter_tile<ATOMIC><<<grid, 256, 0, stream>>>(*v, f, x, dy, to);
    else if (f.kind == FILTER_NINE)
        filter_nine<ATOMIC><<<grid, 256, 0, stream>>>(*v, f, x, dy, to);
    else
        filter_direct<<<grid, 256, 0, stream>>>(*v, f, x, dy, to);
    CUDA_LAUNCH_CHECK();
}
static inline void launch_filter_add(const struct conv *v, struct filter_plan f,
                                     const float *part, float *dw,
                                     cudaStream_t stream)
{
    filter_add<<<blocks_for(f.sums, 32), dim3(32, 16), 0, stream>>>(*v, f, part,
                                                                    dw);
    CUDA_LAUNCH_CHECK();
}

#endif

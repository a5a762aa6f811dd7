/* filter.cuh: the filter gradient, without atomics: each of several splits of
   the output rows makes its own sum, and the sums are added in order. */
#ifndef CONV_FILTER_CUH
#define CONV_FILTER_CUH

#include "conv/implicit.cuh"

/* plan a filter gradient */
enum filter_kind { FILTER_DIRECT, FILTER_NINE, FILTER_TILE };
enum { TILE_K = 64, TILE_C = 32, TILE_Q = 32, TILE_ALL = TILE_K * TILE_C * 9 };

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
    struct filter_plan f = {FILTER_DIRECT, 264, conv_w(v), conv_out_h(v),
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

/* share the rows among the splits */
/* The first output row of a split, of all rows of all images. */
static __device__ inline int filter_row(struct conv v, struct filter_plan f,
                                        int split)
{
    return (int)((long long)v.n * f.P * split / f.splits);
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
        const float *xr = x + (((size_t)n * v.c + c) * v.h + row) * v.w;
        const float *dyr = dy + (((size_t)n * v.k + k) * f.P + p) * f.Q;

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

/* sum nine taps of four filters per warp */
/* A warp takes four filters and a channel, its lanes the columns. */
template <int ATOMIC>
__global__ void __launch_bounds__(256)
    filter_nine(struct conv v, struct filter_plan f, const float *x,
                const float *dy, float *to)
{
    int item = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    int c = item % v.c, k0 = item / v.c * 4;
    int end = filter_row(v, f, blockIdx.y + 1);
    __shared__ float sums[8][36][33];
    float(*lanes)[33] = sums[threadIdx.x / 32], sum[4][9] = {};

    if (k0 >= v.k)
        return;
    for (int at = filter_row(v, f, blockIdx.y); at < end; at++) {
        int n = at / f.P, p = at % f.P;

        for (int q = lane; q < f.Q; q += 32) {
            /* add the products of one pixel and four filters */
            unsigned exist = nine_exist(p - v.pad, q - v.pad, v.h, v.w);
            const float *dyp = dy + (((size_t)n * v.k + k0) * f.P + p) * f.Q + q;
            float in[9];

            load_nine(x + ((size_t)n * v.c + c) * v.h * v.w + (p - v.pad) * v.w + q - v.pad,
                      v.w, exist, in);
            #pragma unroll
            for (int k = 0; k < 4; k++) {
                float d = k0 + k < v.k ? dyp[k * f.P * f.Q] : 0;

            #pragma unroll
                for (int t = 0; t < 9; t++)
                    sum[k][t] += d * in[t];
            }
        }
    }
    /* add up the lanes and keep their sums */
    for (int i = 0; i < 36; i++)
        lanes[i][lane] = sum[i / 9][i % 9];
    __syncwarp();
    for (int i = lane; i < 36; i += 32) {
        float all = 0;

        for (int l = 0; l < 32; l++)
            all += lanes[i][l];
        if (k0 + i / 9 < v.k)
            keep_sum<ATOMIC>(v, f, blockIdx.y, ((k0 + i / 9) * v.c + c) * 9 + i % 9,
                             all, to);
    }
}

/* sum a tile of filters by channels */
/* A block takes 64 filters and 32 channels, a thread 8 and 1, all 9 taps. */
template <int ATOMIC>
__global__ void __launch_bounds__(256)
    filter_tile(struct conv v, struct filter_plan f, const float *x,
                const float *dy, float *to)
{
    __shared__ __align__(16) float d_row[TILE_Q][TILE_K + 4];
    __shared__ float x_rows[3][TILE_C][TILE_Q + 3];
    int t = threadIdx.x, lane = t % 32, end = filter_row(v, f, blockIdx.y + 1);
    int k0 = blockIdx.x / f.tiles_c * TILE_K;
    int c0 = blockIdx.x % f.tiles_c * TILE_C;
    float sum[8][9] = {};

    for (int at = filter_row(v, f, blockIdx.y); at < end; at++)
        for (int q0 = 0; q0 < f.Q; q0 += TILE_Q) {
            int n = at / f.P, p = at % f.P;

            /* load a row of the gradient and three of the input */
            int count = f.Q - q0 < TILE_Q ? f.Q - q0 : TILE_Q;

            for (int k = t / 32; k < TILE_K; k += 8)
                if (lane < count)
                    d_row[lane][k] =
                        k0 + k < v.k
                            ? dy[(((size_t)n * v.k + k0 + k) * f.P + p) * f.Q + q0 + lane]
                            : 0;
            for (int e = t / 32; e < 3 * TILE_C; e += 8)
                for (int q = lane; q < count + 2; q += 32) {
                    int c = c0 + e % TILE_C, row = p + e / TILE_C - v.pad;
                    int col = q0 + q - v.pad;
                    int exists = c < v.c && row >= 0 && row < v.h && col >= 0 && col < v.w;

                    x_rows[e / TILE_C][e % TILE_C][q] =
                        exists ? x[(((size_t)n * v.c + c) * v.h + row) * v.w + col] : 0;
                }
            __syncthreads();
            /* add the products of a row */
            float in[3][3];

            #pragma unroll
            for (int i = 0; i < 6; i++)
                in[i % 3][i / 3] = x_rows[i % 3][t / 8][i / 3];
            #pragma unroll 2
            for (int q = 0; q < count; q++) {
                float d[8];

                load_fours<8>(&d_row[q][t % 8 * 4], 32, d);
            #pragma unroll
                for (int i = 0; i < 3; i++)
                    in[i][2] = x_rows[i][t / 8][q + 2];
            #pragma unroll
                for (int i = 0; i < 72; i++)
                    sum[i / 9][i % 9] += d[i / 9] * in[i % 9 / 3][i % 3];
            #pragma unroll
                for (int i = 0; i < 3; i++)
                    in[i][0] = in[i][1], in[i][1] = in[i][2];
            }
            __syncthreads();
        }
#pragma unroll
    for (int i = 0; i < 72; i++)
        keep_sum<ATOMIC>(v, f, blockIdx.y,
                         blockIdx.x * TILE_ALL + i * 256 + t,
                         sum[i / 9][i % 9], to);
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

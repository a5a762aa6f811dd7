/* implicit.cuh: convolution as a matrix product whose right matrix is never
   stored: each block gathers its tiles of it from the images. */
#ifndef CONV_IMPLICIT_CUH
#define CONV_IMPLICIT_CUH

#include "conv/gather.cuh"

/* name the sizes of a tile */
/* A block makes TALL channels of WIDE places, a thread M of them by N. TAPS is
   9 for 3 x 3 taps next to each other and a stride of 1, 0 for the rest. */
template <int TAPS, int TALL, int WIDE, int M, int N>
struct tile_sizes {
    static const int taps = TAPS, tall = TALL, wide = WIDE, m = M, n = N;
    static const int threads = TALL / M * (WIDE / N);
    static const int groups = threads / WIDE; /* threads that share a place */
    static const int each = TAPS ? TAPS : 8;  /* rows that each of them loads */
    static const int depth = groups * each;   /* rows of a stage */
    static const int loads =
        (TALL * depth + threads - 1) / threads; /* weights */
};

/* find a thread's place */
struct place {
    const float *in; /* its image */
    int p, q, exists;
};

/* Place `at` of the n * p * q that a gather writes. */
static __device__ inline struct place find_place(struct gather g,
                                                 const float *in, int at)
{
    int area = g.p * g.q, rest = at % area;
    struct place x = {in, rest / g.q, rest % g.q, at < g.n * area};

    if (x.exists)
        x.in += conv_row(g.c, g.h, g.w, at / area, 0, 0);
    return x;
}

/* load nine taps of one pixel */
/* Which of the nine inputs whose top left one is at (top, left) exist in an
   image of h x w: bit 3 i + j for row i, column j. */
static __device__ inline unsigned nine_exist(int top, int left, int h, int w)
{
    unsigned in_row = 0, exist = 0;

    for (int j = 0; j < 3; j++)
        if (left + j >= 0 && left + j < w)
            in_row |= 1u << j;
    for (int i = 0; i < 3; i++)
        if (top + i >= 0 && top + i < h)
            exist |= in_row << 3 * i;
    return exist;
}

/* next[t] = the input under tap t, whose top left one is at `in`. */
static __device__ inline void load_nine(const float *in, int w, unsigned exist,
                                        float *next)
{
#pragma unroll
    for (int t = 0; t < 9; t++)
        next[t] = exist >> t & 1 ? in[t / 3 * w + t % 3] : 0;
}

/* load eight terms of one pixel */
/* next[d] = the input of place x in row `term` + d of the right matrix. */
static __device__ inline void load_eight(struct gather g, struct place x,
                                         int term, float *next)
{
    int c = term / (g.r * g.s), i = term / g.s % g.r, j = term % g.s;

#pragma unroll
    for (int d = 0; d < 8; d++) {
        int row = gather_from(g, x.p, i, g.h);
        int col = gather_from(g, x.q, j, g.w);
        int exists = x.exists && c < g.c && row >= 0 && col >= 0;

        next[d] = exists ? x.in[(c * g.h + row) * g.w + col] : 0;
        if (++j == g.s) {
            j = 0;
            if (++i == g.r)
                i = 0, c++;
        }
    }
}

/* load weights for the next stage */
/* next[l] = this thread's share of the weights of a stage, which begins at row
   `term`, for the channels from o0 on; 0 where there are none. */
template <class T>
static __device__ inline void load_weights(struct gather g, const float *w,
                                           int o0, int term, float *next)
{
    int taps = T::taps ? T::taps : g.r * g.s, flip = T::taps && g.step < 0;

#pragma unroll
    for (int l = 0; l < T::loads; l++) {
        int e = l * T::threads + threadIdx.x, o = o0 + e / T::depth;
        int c = (term + e % T::depth) / taps, t = (term + e % T::depth) % taps;
        int exists = e < T::tall * T::depth && o < g.k && c < g.c;

        next[l] = exists
                      ? w[o * g.w_out + c * g.w_in + (flip ? taps - 1 - t : t)]
                      : 0;
    }
}

/* store a stage in shared memory */

/* hold a stage in shared memory */
/* The padding keeps nine neighboring weights out of one bank. */
template <class T>
struct stage {
    float a[T::depth][T::tall + 4], b[T::depth][T::wide];
};

template <class T>
static __device__ inline void store_stage(struct stage<T> *to, const float *a,
                                          const float *b)
{
    int t = threadIdx.x;

#pragma unroll
    for (int d = 0; d < T::each; d++)
        to->b[t / T::wide * T::each + d][t % T::wide] = b[d];
#pragma unroll
    for (int l = 0; l < T::loads; l++) {
        int e = l * T::threads + t;

        if (e < T::tall * T::depth)
            to->a[e % T::depth][e / T::depth] = a[l];
    }
}

/* load four numbers at a time */
/* to[0..COUNT) in groups of four, which are `far` apart in shared memory. */
template <int COUNT>
static __device__ inline void load_fours(const float *from, int far, float *to)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += 4) {
        float4 four = *(const float4 *)&from[i / 4 * far];

        to[i] = four.x, to[i + 1] = four.y;
        to[i + 2] = four.z, to[i + 3] = four.w;
    }
}

/* multiply one stage in registers */
/* sum += the products of a stage. Thread t has four columns from 4 tx on, four
   more a quarter or half of the tile further, and rows likewise: so that the
   lanes of a warp read neighboring fours. */
template <class T>
static __device__ inline void multiply_stage(const struct stage<T> *s,
                                             float (*sum)[T::n])
{
    int tx = threadIdx.x % (T::wide / T::n),
        ty = threadIdx.x / (T::wide / T::n);
    float x[T::m], y[T::n];

#pragma unroll
    for (int d = 0; d < T::depth; d++) {
        load_fours<T::m>(&s->a[d][4 * ty], 4 * T::tall / T::m, x);
        load_fours<T::n>(&s->b[d][4 * tx], 4 * T::wide / T::n, y);
#pragma unroll
        for (int i = 0; i < T::m; i++)
#pragma unroll
            for (int j = 0; j < T::n; j++)
                sum[i][j] += x[i] * y[j];
    }
}

/* write a thread's tile */
/* Four neighboring places of channel o, from place `at` on. */
static __device__ inline void write_four(struct gather g, float *out, int o,
                                         int at, const float *sum, int by_four)
{
    int area = g.p * g.q, far = (g.k - 1) * area; /* from image to image */

    out += at + (size_t)o * area;
    if (by_four && o < g.k && at < g.n * area)
        *(float4 *)(out + (size_t)(at / area) * far) =
            make_float4(sum[0], sum[1], sum[2], sum[3]);
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (!by_four && o < g.k && at + j < g.n * area)
            out[j + (size_t)((at + j) / area) * far] = sum[j];
}
template <class T>
static __device__ inline void write_tile(struct gather g, float *out, int o0,
                                         int at0, float (*sum)[T::n],
                                         int by_four)
{
    int tx = threadIdx.x % (T::wide / T::n),
        ty = threadIdx.x / (T::wide / T::n);

    o0 += 4 * ty, at0 += 4 * tx;
#pragma unroll
    for (int i = 0; i < T::m; i++)
#pragma unroll
        for (int j = 0; j < T::n; j += 4)
            write_four(g, out, o0 + i / 4 * (4 * T::tall / T::m) + i % 4,
                       at0 + j / 4 * (4 * T::wide / T::n), &sum[i][j], by_four);
}

/* gather a tile of channels by pixels */
template <class T>
__global__ void __launch_bounds__(T::threads, 384 / T::threads)
    gather_tile(struct gather g, const float *in, const float *w, float *out,
                int by_four)
{
    __shared__ __align__(16) struct stage<T> half[2];
    float a[T::loads], b[T::each], sum[T::m][T::n] = {};
    int o0 = blockIdx.y * T::tall, at0 = blockIdx.x * T::wide;
    /* find this thread's pixel and its taps */
    int terms = g.c * g.r * g.s, stages = (terms + T::depth - 1) / T::depth;
    int group = threadIdx.x / T::wide, flip = T::taps && g.step < 0;
    struct place x = find_place(g, in, at0 + threadIdx.x % T::wide);
    int top = x.p + g.off - 2 * flip, left = x.q + g.off - 2 * flip;
    unsigned exist = x.exists ? nine_exist(top, left, g.h, g.w) : 0;

    for (int stage = 0; stage <= stages; stage++) {
        if (stage < stages) {
            /* load the next stage into registers */
            int term = stage * T::depth, c = stage * T::groups + group;

            if (T::taps)
                load_nine(x.in + (c * g.h + top) * g.w + left, g.w,
                          c < g.c ? exist : 0, b);
            else
                load_eight(g, x, term + group * T::each, b);
            load_weights<T>(g, w, o0, term, a);
        }
        if (stage > 0)
            multiply_stage<T>(&half[(stage - 1) % 2], sum);
        if (stage < stages)
            store_stage<T>(&half[stage % 2], a, b);
        __syncthreads();
    }
    write_tile<T>(g, out, o0, at0, sum, by_four);
}

/* launch an implicit product */
/* Queues out = gather of in with w; TAPS may be 9 only if gather_nine(g). */
template <int TAPS, int TALL, int WIDE, int M, int N>
static inline void launch_tile(struct gather g, const float *in, const float *w,
                               float *out, cudaStream_t stream)
{
    typedef struct tile_sizes<TAPS, TALL, WIDE, M, N> sizes;
    int places = g.n * g.p * g.q;
    int by_four = g.p * g.q % 4 == 0 && (uintptr_t)out % 16 == 0;
    dim3 grid((unsigned)ceil_div((size_t)places, WIDE),
              (unsigned)ceil_div((size_t)g.k, TALL));

    if (places > 0)
        gather_tile<sizes>
            <<<grid, sizes::threads, 0, stream>>>(g, in, w, out, by_four);
    CUDA_LAUNCH_CHECK();
}

/* Is this gather one of 3 x 3 taps that lie next to each other, stride 1? */
static inline int gather_nine(struct gather g)
{
    return g.r == 3 && g.s == 3 && g.mul == 1 && g.div == 1 &&
           (g.step == 1 || g.step == -1);
}

/* load a window of inputs */
/* in[i][j] = the input at (top + i, left + j), 0 beside an image h x w. */
static __device__ inline void load_window(const float *plane, int h, int w,
                                          int top, int left, float (*in)[6])
{
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 6; j++) {
            int row = top + i, col = left + j;
            int exists = row >= 0 && row < h && col >= 0 && col < w;

            in[i][j] = exists ? plane[row * w + col] : 0;
        }
}

/* make all channels of four places */
enum { ONE_K = 64 };

/* to[0..left) = the sums of one filter, at most four. */
static __device__ inline void write_sums(const float *taps,
                                         const float (*in)[6], float *to,
                                         int left, int by_four)
{
    float some[12], sum[4] = {};

    load_fours<12>(taps, 4, some);
#pragma unroll
    for (int t = 0; t < 9; t++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum[j] += some[t] * in[t / 3][t % 3 + j];
    if (by_four)
        *(float4 *)to = make_float4(sum[0], sum[1], sum[2], sum[3]);
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (!by_four && j < left)
            to[j] = sum[j];
}
/* For a gather_nine(g) from one channel. */
__global__ void __launch_bounds__(128)
    gather_one(struct gather g, const float *in, const float *w, float *out,
               int by_four)
{
    __shared__ __align__(16) float taps[ONE_K][12];
    int at = blockIdx.x * 128 + threadIdx.x, fours = (g.q + 3) / 4;
    int q = at % fours * 4, p = at / fours % g.p, n = at / fours / g.p;
    int flip = g.step < 0, first = g.off - 2 * flip;
    float window[3][6];

    load_window(in + conv_row(1, g.h, g.w, n, 0, 0), n < g.n ? g.h : 0, g.w,
                p + first, q + first, window);
    out += conv_row(g.k, g.p, g.q, n, 0, p) + q;
    for (int k0 = 0; k0 < g.k; k0 += ONE_K) {
        /* load the weights of some filters */
        for (int e = threadIdx.x; e < 12 * ONE_K; e += 128) {
            int k = k0 + e / 12, t = e % 12, exists = k < g.k && t < 9;

            taps[e / 12][t] = exists ? w[k * g.w_out + (flip ? 8 - t : t)] : 0;
        }
        __syncthreads();
        for (int k = 0; k < ONE_K && k0 + k < g.k && n < g.n; k++)
            write_sums(taps[k], window, out + (size_t)(k0 + k) * g.p * g.q,
                       g.q - q, by_four);
        __syncthreads();
    }
}

/* launch the kernel for one channel */
static inline void launch_one(struct gather g, const float *in, const float *w,
                              float *out, cudaStream_t stream)
{
    size_t fours = (size_t)g.n * g.p * ceil_div((size_t)g.q, 4);
    int by_four = g.q % 4 == 0 && (uintptr_t)out % 16 == 0;

    if (fours > 0)
        gather_one<<<blocks_for(fours, 128), 128, 0, stream>>>(g, in, w, out,
                                                               by_four);
    CUDA_LAUNCH_CHECK();
}

#endif

/* implicit.cuh: convolution as a matrix product whose right matrix is never
   stored: each block gathers its tiles of it from the images. */
#ifndef CONV_IMPLICIT_CUH
#define CONV_IMPLICIT_CUH

#include "conv/gather.cuh"

/* place a thread in the product */
/* The pixel whose column of the right matrix a thread loads. */
struct pixel {
    const float *in; /* the image's first channel of this thread's group */
    int p, q, exists;
};

static __device__ inline struct pixel find_pixel(struct gather g,
                                                 const float *in, int at)
{
    int area = g.p * g.q, image = at / area, rest = at % area;
    struct pixel x = {in, rest / g.q, rest % g.q, at < g.n * area};

    if (x.exists)
        x.in += (size_t)image * g.c * g.h * g.w;
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
/* next[d] = row `term` + d of the right matrix, d < 8, in this pixel's
   column: any taps, any stride. */
static __device__ inline void load_eight(struct gather g, struct pixel x,
                                         int term, float *next)
{
    int rest = term % (g.r * g.s), c = term / (g.r * g.s);
    int i = rest / g.s, j = rest % g.s;

#pragma unroll
    for (int d = 0; d < 8; d++) {
        int row = gather_from(g, x.p, i, g.h), col = gather_from(g, x.q, j, g.w);
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
/* Element (o, term) of the left matrix, 0 outside. taps: r * s. */
static __device__ inline float load_weight(struct gather g, const float *w,
                                           int o, int term, int taps, int flip)
{
    int c = term / taps, t = term % taps;

    if (o >= g.k || c >= g.c)
        return 0;
    return w[o * g.w_out + c * g.w_in + (flip ? taps - 1 - t : t)];
}

/* multiply one stage in registers */
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
/* sum += the products of one row of each tile; a and b point to what this
   thread reads first, its further groups of 4 are a_far and b_far apart. */
template <int TM, int TN>
static __device__ inline void multiply_row(const float *a, int a_far,
                                           const float *b, int b_far,
                                           float (*sum)[TN])
{
    float x[TM], y[TN];

    load_fours<TM>(a, a_far, x);
    load_fours<TN>(b, b_far, y);
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
            sum[i][j] += x[i] * y[j];
}

/* write a thread's tile */
/* Writes four neighbouring pixels of one channel; `wide`: as one float4. */
static __device__ inline void write_four(struct gather g, float *out, int o,
                                         int at, const float *sum, int wide)
{
    int area = g.p * g.q, far = (g.k - 1) * area; /* from image to image */

    out += at + (size_t)o * area;
    if (wide && o < g.k && at < g.n * area)
        *(float4 *)(out + (size_t)(at / area) * far) =
            make_float4(sum[0], sum[1], sum[2], sum[3]);
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (!wide && o < g.k && at + j < g.n * area)
            out[j + (size_t)((at + j) / area) * far] = sum[j];
}

/* gather a tile of channels by pixels */
/* A block makes BM channels of BN pixels, a thread TM of TN. TAPS is 9 for
   3 x 3 taps that lie next to each other and a stride of 1, 0 for the rest. */
template <int TAPS, int BM, int BN, int TM, int TN>
__global__ void __launch_bounds__(BM / TM * (BN / TN),
                                  384 / (BM / TM * (BN / TN)))
    gather_tile(struct gather g, const float *in, const float *w, float *out,
                int wide)
{
    enum {
        THREADS = BM / TM * (BN / TN),
        GROUPS = THREADS / BN,       /* threads that share a pixel */
        EACH = TAPS ? TAPS : 8,      /* rows that each of them loads */
        DEPTH = GROUPS * EACH,       /* rows of a stage */
        LOADS = (BM * DEPTH + THREADS - 1) / THREADS
    };
    __shared__ __align__(16) float a[2][DEPTH][BM + 4], b[2][DEPTH][BN];
    float next_a[LOADS], next_b[EACH], sum[TM][TN] = {};
    int t = threadIdx.x, group = t / BN, o0 = blockIdx.y * BM;
    int at0 = blockIdx.x * BN, tx = t % (BN / TN), ty = t / (BN / TN);
    /* find this thread's pixel and its taps */
    int taps = TAPS ? TAPS : g.r * g.s, flip = TAPS && g.step < 0, stage = 0;
    int stages = (g.c * taps + DEPTH - 1) / DEPTH;
    struct pixel x = find_pixel(g, in, at0 + t % BN);
    int top = x.p + g.off - 2 * flip, left = x.q + g.off - 2 * flip;
    unsigned exist = TAPS && x.exists ? nine_exist(top, left, g.h, g.w) : 0;
    const float *corner = x.in + group * g.h * g.w + top * g.w + left;

    /* load the next stage into registers */
    if (TAPS)
        load_nine(corner + (size_t)stage * GROUPS * g.h * g.w, g.w,
                  stage * GROUPS + group < g.c ? exist : 0, next_b);
    else
        load_eight(g, x, stage * DEPTH + group * EACH, next_b);
    #pragma unroll
    for (int l = 0; l < LOADS; l++) {
        int e = l * THREADS + t;

        next_a[l] = e < BM * DEPTH ? load_weight(g, w, o0 + e / DEPTH,
                                                 stage * DEPTH + e % DEPTH, taps,
                                                 flip)
                                   : 0;
    }
    /* store the next stage into shared memory */
    #pragma unroll
    for (int d = 0; d < EACH; d++)
        b[stage % 2][group * EACH + d][t % BN] = next_b[d];
    #pragma unroll
    for (int l = 0; l < LOADS; l++)
        if (l * THREADS + t < BM * DEPTH)
            a[stage % 2][(l * THREADS + t) % DEPTH][(l * THREADS + t) / DEPTH] =
                next_a[l];
    __syncthreads();
    for (stage++; stage <= stages; stage++) {
        if (stage < stages) {
            /* load the next stage into registers */
            if (TAPS)
                load_nine(corner + (size_t)stage * GROUPS * g.h * g.w, g.w,
                          stage * GROUPS + group < g.c ? exist : 0, next_b);
            else
                load_eight(g, x, stage * DEPTH + group * EACH, next_b);
            #pragma unroll
            for (int l = 0; l < LOADS; l++) {
                int e = l * THREADS + t;

                next_a[l] = e < BM * DEPTH ? load_weight(g, w, o0 + e / DEPTH,
                                                         stage * DEPTH + e % DEPTH, taps,
                                                         flip)
                                           : 0;
            }
        }
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
            multiply_row<TM, TN>(&a[(stage + 1) % 2][d][4 * ty], 4 * BM / TM,
                                 &b[(stage + 1) % 2][d][4 * tx], 4 * BN / TN,
                                 sum);
        if (stage < stages) {
            /* store the next stage into shared memory */
            #pragma unroll
            for (int d = 0; d < EACH; d++)
                b[stage % 2][group * EACH + d][t % BN] = next_b[d];
            #pragma unroll
            for (int l = 0; l < LOADS; l++)
                if (l * THREADS + t < BM * DEPTH)
                    a[stage % 2][(l * THREADS + t) % DEPTH][(l * THREADS + t) / DEPTH] =
                        next_a[l];
        }
        __syncthreads();
    }
    /* write the sums of this thread */
    #pragma unroll
    for (int i = 0; i < TM; i++)
    #pragma unroll
        for (int j = 0; j < TN; j += 4)
            write_four(g, out, o0 + i / 4 * (4 * BM / TM) + 4 * ty + i % 4,
                       at0 + j / 4 * (4 * BN / TN) + 4 * tx, &sum[i][j], wide);
}

/* launch an implicit product */
template <int TAPS, int BM, int BN, int TM, int TN>
static inline void launch_tile(struct gather g, const float *in, const float *w,
                               float *out, cudaStream_t stream)
{
    int pixels = g.n * g.p * g.q;
    int wide = g.p * g.q % 4 == 0 && (uintptr_t)out % 16 == 0;
    dim3 grid((unsigned)ceil_div((size_t)pixels, BN),
              (unsigned)ceil_div((size_t)g.k, BM));

    if (pixels > 0)
        gather_tile<TAPS, BM, BN, TM, TN>
            <<<grid, BM / TM * (BN / TN), 0, stream>>>(g, in, w, out, wide);
    CUDA_LAUNCH_CHECK();
}

#endif

/* first.cuh: block 1: the moments of patches; convolution, normalization, ReLU and
   maximum of a row of cells at once. */
#ifndef RACE_FIRST_CUH
#define RACE_FIRST_CUH

#include "race/fused.cuh"

enum { SUM_THREADS = 224 };

/* number the moments */
/* Where the product of taps t <= u stands among the moments. */
static __host__ __device__ inline int moment_at(int t, int u)
{
    return 9 + t * 9 - t * (t - 1) / 2 + u - t;
}

/* add up the patches */
/* sums[0..8]: of the pixels under each tap, [9..]: of the products of two taps;
   over all patches of all pictures, in whole numbers: exact, in any order. */
__global__ void __launch_bounds__(SUM_THREADS)
    sum_patches(const __grid_constant__ struct fused f)
{
    __shared__ unsigned rows[30 * 9], total[SUM_THREADS / 32][MOMENTS];
    unsigned sum[MOMENTS] = {};
    int me = threadIdx.x, y = me / 7, q = me % 7;

    ptx_grid_launch();

    for (int i = me; i < 30 * 9; i += SUM_THREADS)
        rows[i] = 0;
    for (int i = blockIdx.x; i < f.n; i += gridDim.x) {
        __syncthreads();
        if (me < INK / 4)
            rows[(y + 1) * 9 + 1 + q] = ((const unsigned *)image_of(f, i))[me];
        __syncthreads();
        /* add the products of four patches */
        if (me < INK / 4) {
            unsigned v[9]; /* four pixels under each tap */

            for (int r = 0; r < 3; r++) {
                const unsigned *w = &rows[(y + r) * 9 + q];

                v[3 * r] = __funnelshift_r(w[0], w[1], 24);
                v[3 * r + 1] = w[1];
                v[3 * r + 2] = __funnelshift_r(w[1], w[2], 8);
            }
            for (int t = 0; t < 9; t++) {
                sum[t] = __dp4a(v[t], 0x01010101u, sum[t]);
                for (int u = t; u < 9; u++)
                    sum[moment_at(t, u)] =
                        __dp4a(v[t], v[u], sum[moment_at(t, u)]);
            }
        }
    }
#pragma unroll
    for (int s = 0; s < MOMENTS; s++) {
        unsigned all = __reduce_add_sync(~0u, sum[s]);

        if (me % 32 == 0)
            total[me / 32][s] = all;
    }
    __syncthreads();
    if (me < MOMENTS) {
        unsigned long long all = 0;

        for (int w = 0; w < SUM_THREADS / 32; w++)
            all += total[w][me];
        atomicAdd(&f.sums[me], all);
    }
}

/* round as the tensor cores do */
/* A weight of the first convolution as the tensor cores see it. */
static __device__ inline float rounded(float w)
{
    return __bfloat162float(__float2bfloat16(w));
}

/* find mean and variance from the moments */
/* Mean and variance of channel c of z1, from the moments of the patches, whose
   pixels are numbers from 0 to 255. */
static __device__ inline void moments_of_channel(const struct fused &f,
                                                 const unsigned long long *sums,
                                                 int c, double *mean,
                                                 double *var)
{
    double count = (double)f.n * INK, first = 0, second = 0;
    double w[9];

#pragma unroll
    for (int t = 0; t < 9; t++)
        w[t] = rounded(f.conv1[c * 9 + t]) / 255.0;
#pragma unroll
    for (int t = 0; t < 9; t++) {
        double row = 0;

        first += w[t] * (double)sums[t];
#pragma unroll
        for (int u = t + 1; u < 9; u++)
            row += 2 * w[u] * (double)sums[moment_at(t, u)];
        second += w[t] * (row + w[t] * (double)sums[moment_at(t, t)]);
    }
    *mean = first / count;
    *var = fmax(second / count - *mean * *mean, 0.0);
}

/* put a picture into shared memory */
/* The picture with its border, in bf16: pixel (y, x) at [y + 1][x + 1]. By 196
   threads, from four pixels v of each; the border is zero before. */
static __device__ inline void put_picture(unsigned v, bf16 *ink)
{
    int me = threadIdx.x;

    if (me < INK / 4) {
        bf16 *to = ink + (me / 7 + 1) * INK_PITCH + me % 7 * 4 + 1;

        for (int e = 0; e < 4; e++)
            to[e] = __float2bfloat16((float)(v >> 8 * e & 255));
    }
}

/* put the taps into fragments */
/* The fragments of B for first_block: [group of 8 channels][pixel of the cell]
   [lane]. A cell sees 4 x 4 pixels; its pixel j has its 3 x 3 taps among them. */
static __device__ inline void put_taps(const float *conv1, uint2 *taps,
                                       int threads)
{
    for (int e = threadIdx.x; e < 16 * 32; e += threads) {
        int l = e % 32, j = e / 32 % 4, c = e / 128 * 8 + l / 4;
        unsigned b[2];

        for (int h = 0; h < 2; h++) {
            float v[2];

            for (int s = 0; s < 2; s++) {
                int k = l % 4 * 2 + 8 * h + s;
                int down = k / 4 - j / 2, right = k % 4 - j % 2;
                int in = down >= 0 && down < 3 && right >= 0 && right < 3;

                v[s] = in ? conv1[c * 9 + down * 3 + right] : 0;
            }
            b[h] = pair_of(v[0], v[1]);
        }
        taps[e] = make_uint2(b[0], b[1]);
    }
}

/* go through block 1 */
/* Row cy of the cells, by a warp: p1 in NHWC with its border, lines of 64 bytes;
   winner[cy][channel][16]: 0 to 3, 4: none. coef[c]: a and shift. */
template <int WINNERS>
static __device__ inline void first_block(const bf16 *ink, const uint2 *taps,
                                          const float2 *coef, int cy, char *p1,
                                          unsigned char *winner)
{
    int l = threadIdx.x % 32, g = l / 4, t = l % 4;
    const unsigned *w = (const unsigned *)(ink + (2 * cy + t / 2) * INK_PITCH +
                                           2 * g + t % 2 * 2);
    unsigned a[4] = {w[0], w[8], w[INK_PITCH], w[INK_PITCH + 8]};
    int q = (cy + 1) * PITCH + g + 1;

#pragma unroll
    for (int group = 0; group < 4; group++) {
        float z[4][4], best[4] = {};
        int who[4] = {4, 4, 4, 4};

/* multiply windows and take the maxima */
#pragma unroll
        for (int j = 0; j < 4; j++) {
            uint2 b = taps[(group * 4 + j) * 32 + l];
            unsigned bb[2] = {b.x, b.y};
            const float none[4] = {};

            ptx_mma_bf16(z[j], a, bb, none);
        }
#pragma unroll
        for (int e = 0; e < 4; e++) {
            float2 k = coef[group * 8 + 2 * t + e % 2];

#pragma unroll
            for (int j = 0; j < 4; j++) {
                float y = fmaf(k.x, z[j][e], k.y);

                who[e] = y > best[e] ? j : who[e];
                best[e] = y > best[e] ? y : best[e];
            }
        }
        *(unsigned *)(p1 + in_64(q, group) + t * 4) = pair_of(best[0], best[1]);
        if (g < 6)
            *(unsigned *)(p1 + in_64(q + 8, group) + t * 4) =
                pair_of(best[2], best[3]);
        if (WINNERS)
#pragma unroll
            for (int e = 0; e < 4; e++)
                winner[(cy * CH1 + group * 8 + 2 * t + e % 2) * 16 + g +
                       e / 2 * 8] =
                    (unsigned char)(e < 2 || g < 6 ? who[e] : 4);
    }
}

#endif

/* backward.cuh: back through the second convolution and block 1. */
#ifndef RACE_BACKWARD_CUH
#define RACE_BACKWARD_CUH

#include "race/head.cuh"

/* size the room of the way back */
enum {
    BACK_THREADS = 512,
    DZ_BYTES = PADDED * 128,
    WINNER_BYTES = SIDE2 * CH1 * 16,
    RAW_BYTES = 5 * CELLS * 128, /* a picture's z2 and dp2 */
    BACK_BYTES = FILTER_BYTES + 2 * P1_BYTES + DZ_BYTES + 2 * WINNER_BYTES +
                 RAW_BYTES + 16 * 32 * 8 + 2 * INK_PADDED * 2 + INK
};

/* fetch a cell ahead */
/* Starts to copy what a thread will need of picture i: 8 channels of a cell. */
static __device__ inline void fetch_cell(const struct fused &f, int i,
                                         char *raw)
{
    int me = threadIdx.x, cell = me / 8, chunk = me % 8;
    const bf16 *z =
        f.z2 +
        ((size_t)i * PIXELS + cell / SIDE3 * 2 * SIDE2 + cell % SIDE3 * 2) *
            CH2 +
        chunk * 8;

    if (me >= CELLS * 8)
        return;
    for (int j = 0; j < 4; j++)
        ptx_cp_async<16>(raw + (j * CELLS * 8 + me) * 16,
                         z + (j / 2 * SIDE2 + j % 2) * CH2);
    ptx_cp_async<16>(raw + (4 * CELLS * 8 + me) * 16,
                     f.dp2 + ((size_t)i * CELLS + cell) * CH2 + chunk * 8);
}

/* And four of its pixels. */
static __device__ inline void fetch_picture(const struct fused &f, int i,
                                            char *picture)
{
    int me = threadIdx.x;

    if (me < INK / 4)
        ptx_cp_async<4>(picture + me * 4, image_of(f, i) + me * 4);
}

static __device__ inline unsigned four_of(const char *picture)
{
    int me = threadIdx.x;

    return me < INK / 4 ? ((const unsigned *)picture)[me] : 0;
}

/* find the gradient of z2 */
/* dz2 of that cell: coef holds a, shift, k0, k1; dz = k0 + k1 z, and a dy more where
   z has won. Two channels at a time; the four cells of a warp begin at different
   ones, and so share no bank. */
static __device__ inline void put_dz(const char *raw, const float4 *coef,
                                     char *dz)
{
    int me = threadIdx.x, cell = me / 8, chunk = me % 8;
    int q = (cell / SIDE3 * 2 + 1) * PITCH + cell % SIDE3 * 2 + 1;

    if (me >= CELLS * 8)
        return;
#pragma unroll 1
    for (int turn = 0; turn < 4; turn++) {
        int word = turn ^ (cell & 3);
        const unsigned *from = (const unsigned *)raw + me * 4 + word;
        unsigned dy = from[4 * CELLS * 32];
        float out[2][4];

/* send gradients to the winners */
#pragma unroll
        for (int o = 0; o < 2; o++) {
            float4 k = coef[(word * 2 + o) * 8 + chunk];
            float most = 0, z[4];
            float add = k.x * (o ? high_of(dy) : low_of(dy));
            int who = 4;

#pragma unroll
            for (int j = 0; j < 4; j++) {
                unsigned two = from[j * CELLS * 32];
                float y;

                z[j] = o ? high_of(two) : low_of(two);
                y = fmaf(k.x, z[j], k.y);
                who = y > most ? j : who;
                most = y > most ? y : most;
            }
#pragma unroll
            for (int j = 0; j < 4; j++)
                out[o][j] = fmaf(k.w, z[j], k.z) + (who == j ? add : 0);
        }
#pragma unroll
        for (int j = 0; j < 4; j++)
            *(unsigned *)(dz + in_128(q + j / 2 * PITCH + j % 2, chunk) +
                          word * 4) = pair_of(out[0][j], out[1][j]);
    }
}

/* go back through the second filters */
/* dp1 of two rows, by a warp: as [channel][pixel], so that it can be a factor. */
static __device__ inline void back_to_pixels(const char *turned, const char *dz,
                                             int row, float (*c)[4][4])
{
    int l = threadIdx.x % 32;

#pragma unroll 1
    for (int tap = 0; tap < 9; tap++)
#pragma unroll
        for (int k = 0; k < 4; k++) {
            unsigned a[2][4], b[2][4];

            for (int m = 0; m < 2; m++)
                ptx_ldmatrix<4, 0>(a[m],
                                   turned + in_128(tap * CH1 + m * 16 + l % 16,
                                                   k * 2 + l / 16));
            for (int r = 0; r < 2; r++)
                ptx_ldmatrix<4, 0>(
                    b[r], dz + in_128((row + r + 2 - tap / 3) * PITCH + 2 -
                                          tap % 3 + l / 16 * 8 + l % 8,
                                      k * 2 + l / 8 % 2));
            for (int m = 0; m < 2; m++)
                for (int s = 0; s < 4; s++)
                    ptx_mma_bf16(c[m][s], a[m], &b[s / 2][s % 2 * 2], c[m][s]);
        }
}

/* add up patches of winners */
/* sum[channel][tap]: dp1 times the pixel under the tap, where z1 has won; tap 9:
   dp1 alone. c: dp1 of two rows, from back_to_pixels. */
static __device__ inline void
add_patches_of_winners(const bf16 *ink, const unsigned char *winner, int row,
                       const float (*c)[4][4], float (*sum)[2][4])
{
    int l = threadIdx.x % 32, g = l / 4, t = l % 4;

#pragma unroll
    for (int r = 0; r < 2; r++) {
        unsigned dy[2][4], who[2][4];

/* turn dp1 into factors */
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int e = 0; e < 4; e++) { /* rows g and g + 8, pixels + 8 */
                dy[m][e] = pair_of(c[m][2 * r + e / 2][e % 2 * 2],
                                   c[m][2 * r + e / 2][e % 2 * 2 + 1]);
                who[m][e] = *(const unsigned short *)(winner +
                                                      ((row + r) * CH1 +
                                                       m * 16 + e % 2 * 8 + g) *
                                                          16 +
                                                      e / 2 * 8 + 2 * t);
            }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            /* take the pixels under the taps */
            const unsigned short *x =
                (const unsigned short *)ink +
                (2 * (row + r) + j / 2 + g / 3) * INK_PITCH + j % 2 + g % 3 +
                4 * t;
            const unsigned short *last =
                (const unsigned short *)ink +
                (2 * (row + r) + j / 2 + 2) * INK_PITCH + j % 2 + 2 + 4 * t;
            unsigned b[2][2];

            for (int h = 0; h < 2; h++) {
                b[0][h] = x[16 * h] | (unsigned)x[16 * h + 2] << 16;
                b[1][h] = g == 0
                              ? last[16 * h] | (unsigned)last[16 * h + 2] << 16
                          : g == 1 ? 0x3f803f80u
                                   : 0;
            }

/* keep the winners and multiply */
#pragma unroll
            for (int m = 0; m < 2; m++) {
                unsigned a[4];

#pragma unroll
                for (int e = 0; e < 4; e++)
                    a[e] = dy[m][e] &
                           (((who[m][e] & 255) == (unsigned)j ? 0xffffu : 0) |
                            (who[m][e] >> 8 == (unsigned)j ? 0xffff0000u : 0));
                for (int s = 0; s < 2; s++)
                    ptx_mma_bf16(sum[m][s], a, b[s], sum[m][s]);
            }
        }
    }
}

/* add to the gradient of a tap */
/* What a picture adds to the gradient of the filters of one tap. */
static __device__ inline void add_filter_tap(const char *dz, const char *p1,
                                             int tap, float c[4][4][4])
{
    int l = threadIdx.x % 32;

#pragma unroll 1
    for (int y = 0; y < SIDE2; y++) {
        int q = (y + 1) * PITCH + 1 + l / 16 * 8 + l % 8;
        int p = (y + tap / 3) * PITCH + tap % 3 + l / 8 % 2 * 8 + l % 8;
        unsigned a[4], b[2][4];

        for (int s = 0; s < 2; s++)
            ptx_ldmatrix<4, 1>(b[s], p1 + in_64(p, s * 2 + l / 16));
#pragma unroll
        for (int m = 0; m < 4; m++) {
            ptx_ldmatrix<4, 1>(a, dz + in_128(q, m * 2 + l / 8 % 2));
            for (int s = 0; s < 4; s++)
                ptx_mma_bf16(c[m][s], a, &b[s / 2][s % 2 * 2], c[m][s]);
        }
    }
}

/* go back through both */
/* Sixteen warps: seven go back to the pixels, nine add up the filters' gradients,
   a tap each. */
__global__ void __launch_bounds__(BACK_THREADS)
    back_through_both(const __grid_constant__ struct fused f)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ __align__(16) float4 coef[CH2];
    __shared__ float2 coef1[CH1];
    char *turned = room, *p1 = turned + FILTER_BYTES, *dz = p1 + 2 * P1_BYTES;
    unsigned char *winner = (unsigned char *)dz + DZ_BYTES;
    char *raw = (char *)winner + 2 * WINNER_BYTES;
    uint2 *taps = (uint2 *)(raw + RAW_BYTES);
    bf16 *ink = (bf16 *)(taps + 16 * 32);
    char *picture = (char *)(ink + 2 * INK_PADDED);
    int me = threadIdx.x, l = me % 32, w = me / 32, g = l / 4, t = l % 4;
    int both =
        gridDim.y == 1; /* of both ways; or block 0 has one, 1 the other */

    int next = blockIdx.x + gridDim.x;

    ptx_grid_launch();
    /* set up the way back */
    for (int e = me; e < FILTERS / 8; e += BACK_THREADS)
        ptx_cp_async<16>(turned + in_128(e / 8, e % 8), f.turned + e * 8);
    for (int e = me; e < (2 * P1_BYTES + DZ_BYTES) / 4; e += BACK_THREADS)
        ((unsigned *)p1)[e] = 0;
    for (int e = me; e < INK_PADDED; e += BACK_THREADS)
        ((unsigned *)ink)[e] = 0;
    put_taps(f.conv1, taps, BACK_THREADS);
    ptx_grid_wait();
    fetch_cell(f, blockIdx.x, raw);
    fetch_picture(f, blockIdx.x, picture);
    ptx_cp_async_commit();
    if (me < CH2) {
        double count = (double)f.n * PIXELS, mean = f.coef2[me];
        double r = f.coef2[CH2 + me], a = f.coef2[2 * CH2 + me];
        double m1 = from_units(f.dy_sums[me], DY_UNIT) / count;
        double m2 = from_units(f.dy_sums[CH2 + me], DY_UNIT) * r / count;

        coef[me % 8 * 8 + me / 8] = make_float4(
            (float)a, f.coef2[3 * CH2 + me],
            (float)(-a * m1 + a * m2 * r * mean), (float)(-a * m2 * r));
    }
    if (me < CH1)
        coef1[me] = make_float2(f.coef1[2 * CH1 + me], f.coef1[3 * CH1 + me]);

    float c[4][4][4] = {}; /* seven warps: c[0] sums, c[1] and c[2] dp1 */
    float(*sum)[2][4] = (float(*)[2][4])c[0];

    /* take block 1 of the first picture */
    ptx_cp_async_wait<0>();
    __syncthreads();
    put_picture(four_of(picture), ink);
    __syncthreads();
    if (w < SIDE2)
        first_block<1>(ink, taps, coef1, w, p1, winner);
    if (next < f.n)
        fetch_picture(f, next, picture);
    ptx_cp_async_commit();
    for (int i = blockIdx.x, now = 0; i < f.n; i = next, now ^= 1) {
        int then = now ^ 1; /* the other one of two buffers */

        next = i + gridDim.x;
        ptx_cp_async_wait<0>();
        __syncthreads();
        put_dz(raw, coef, dz);
        if (next < f.n)
            put_picture(four_of(picture), ink + then * INK_PADDED);
        __syncthreads();
        if (next < f.n)
            fetch_cell(f, next, raw);
        if (next + (int)gridDim.x < f.n)
            fetch_picture(f, next + gridDim.x, picture);
        ptx_cp_async_commit();
        /* part the warps */
        if (w >= 7) {
            for (int row = w - 7; next < f.n && row < SIDE2; row += 9)
                first_block<1>(ink + then * INK_PADDED, taps, coef1, row,
                               p1 + then * P1_BYTES,
                               winner + then * WINNER_BYTES);
            if (both || blockIdx.y == 1)
                add_filter_tap(dz, p1 + now * P1_BYTES, w - 7, c);
        } else if (both || blockIdx.y == 0) {
            for (int e = 0; e < 32; e++)
                c[1 + e / 16][e / 4 % 4][e % 4] = 0;
            back_to_pixels(turned, dz, 2 * w, &c[1]);
            add_patches_of_winners(ink + now * INK_PADDED,
                                   winner + now * WINNER_BYTES, 2 * w, &c[1],
                                   sum);
        }
    }
    ptx_cp_async_wait<0>();
    __syncthreads();
    /* write the sums of the way back */
    if (w >= 7 && (both || blockIdx.y == 1)) {
        float *to =
            f.filter_sums + (size_t)blockIdx.x * FILTERS + (w - 7) * CH1 * CH2;

        for (int m = 0; m < 8; m++)
            for (int s = 0; s < 4; s++)
                *(float2 *)(to + (m * 8 + g) * CH1 + s * 8 + 2 * t) =
                    make_float2(c[m / 2][s][m % 2 * 2],
                                c[m / 2][s][m % 2 * 2 + 1]);
    } else if (w < 7) {
        float *to = (float *)dz + w * CH1 * 16;

        for (int m = 0; m < 4; m++)
            for (int s = 0; s < 2; s++)
                *(float2 *)(to + (m * 8 + g) * 16 + s * 8 + 2 * t) =
                    make_float2(sum[m / 2][s][m % 2 * 2],
                                sum[m / 2][s][m % 2 * 2 + 1]);
    }
    __syncthreads();
    if (me < CH1 * 16 && blockIdx.y == 0) {
        float all = 0;

        for (int k = 0; k < 7; k++)
            all += ((float *)dz)[k * CH1 * 16 + me];
        f.patch_sums[blockIdx.x * CH1 * 16 + me] = all;
    }
}

#endif

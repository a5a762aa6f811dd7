/* head.cuh: the head of the network, there and back. */
#ifndef RACE_HEAD_CUH
#define RACE_HEAD_CUH

#include "race/forward.cuh"

/* finish the way forward */
/* Hidden layer, outputs, loss and their gradients; a warp has a picture, a lane
   four hidden numbers of it. */
__global__ void __launch_bounds__(HEAD_THREADS)
    finish_forward(const __grid_constant__ struct fused f)
{
    __shared__ __align__(16) float sums[4][HEAD_SUMS];
    int me = threadIdx.x, l = me % 32, w = me / 32, n4 = l * 4;
    int padded = (f.n + LOT - 1) / LOT * LOT;
    float weight[KINDS][4], dw[KINDS][4] = {}, db[4] = {}, db2[KINDS] = {};
    float loss = 0, bias[4];

    ptx_grid_launch();

#pragma unroll
    for (int k = 0; k < KINDS; k++)
#pragma unroll
        for (int e = 0; e < 4; e++)
            weight[k][e] = f.fc2[k * HIDDEN + n4 + e];
#pragma unroll
    for (int e = 0; e < 4; e++)
        bias[e] = f.fc1_bias[n4 + e];
    ptx_grid_wait();
    if (blockIdx.x == 0 && me < 2 * CH2)
        f.z_sums[me] = 0; /* for the next step */
    for (int i = blockIdx.x * 8 + w; i < padded; i += gridDim.x * 8) {
        float h[4] = {bias[0], bias[1], bias[2], bias[3]}, o[KINDS], d[4] = {};
        float most = -INFINITY, sum = 0;
        int label;

        if (i >= f.n) { /* rows that fill the last tile */
            *(uint2 *)(f.dh + (size_t)i * HIDDEN + n4) = make_uint2(0, 0);
            continue;
        }
        label = f.args->labels[f.args->order ? f.args->order[f.args->first + i]
                                             : f.args->first + i];

/* go through the head, there and back */
#pragma unroll 16
        for (int s = 0; s < f.splits2; s++) {
            float4 v = *(const float4 *)(f.h_sums +
                                         ((size_t)s * f.n + i) * HIDDEN + n4);

            h[0] += v.x;
            h[1] += v.y;
            h[2] += v.z;
            h[3] += v.w;
        }
#pragma unroll
        for (int e = 0; e < 4; e++)
            h[e] = fmaxf(h[e], 0);
#pragma unroll
        for (int k = 0; k < KINDS; k++) {
            o[k] = 0;
#pragma unroll
            for (int e = 0; e < 4; e++)
                o[k] = fmaf(weight[k][e], h[e], o[k]);
            for (int b = 16; b > 0; b /= 2)
                o[k] += __shfl_xor_sync(~0u, o[k], b);
            o[k] += f.fc2_bias[k];
            most = fmaxf(most, o[k]);
        }
#pragma unroll
        for (int k = 0; k < KINDS; k++)
            sum += expf(o[k] - most);
#pragma unroll
        for (int k = 0; k < KINDS; k++) {
            float p = (expf(o[k] - most) / sum - (float)(k == label)) / f.n;

            loss += k == label ? logf(sum) - (o[k] - most) : 0;
            db2[k] += p;
#pragma unroll
            for (int e = 0; e < 4; e++) {
                dw[k][e] = fmaf(p, h[e], dw[k][e]);
                d[e] = fmaf(p, weight[k][e], d[e]);
            }
        }
#pragma unroll
        for (int e = 0; e < 4; e++) {
            d[e] = h[e] > 0 ? d[e] : 0;
            db[e] += d[e];
        }
        *(uint2 *)(f.dh + (size_t)i * HIDDEN + n4) =
            make_uint2(pair_of(d[0], d[1]), pair_of(d[2], d[3]));
    }
    /* add up what the warps have */
    const int rest = KINDS * HIDDEN + HIDDEN; /* behind them: db2, loss */

    for (int half = 1; half >= 0; half--) { /* warps 4 to 7, then 0 to 3 */
        float *row = sums[w % 4];

        if (w / 4 == half) {
            for (int k = 0; k < KINDS; k++) {
                for (int e = 0; e < 4; e++)
                    row[k * HIDDEN + n4 + e] =
                        dw[k][e] + (half ? 0 : row[k * HIDDEN + n4 + e]);
                if (l == 0)
                    row[rest + k] = db2[k] + (half ? 0 : row[rest + k]);
            }
            for (int e = 0; e < 4; e++)
                row[KINDS * HIDDEN + n4 + e] =
                    db[e] + (half ? 0 : row[KINDS * HIDDEN + n4 + e]);
            if (l == 0)
                row[rest + KINDS] = loss + (half ? 0 : row[rest + KINDS]);
        }
        __syncthreads();
    }
    for (int e = me; e <= rest + KINDS; e += HEAD_THREADS)
        f.head_sums[blockIdx.x * HEAD_SUMS + e] =
            (sums[0][e] + sums[1][e]) + (sums[2][e] + sums[3][e]);
}

/* go back to the cells */
/* dp2 = dh W of one cell, for every parts4-th tile of pictures; and the sums that
   the normalization needs on its way back. grid: cells, parts4. */
__global__ void __launch_bounds__(HEAD_THREADS, 2)
    back_to_cells(const __grid_constant__ struct fused f)
{
    __shared__ __align__(1024) char weights[HIDDEN * 128];
    __shared__ __align__(1024) char d[LOT * (CH2 + 4) * 4];
    float *tile = (float *)d; /* once the product has been taken */
    __shared__ float total[8][2 * CH2];
    int me = threadIdx.x, l = me % 32, w = me / 32, g = l / 4, t = l % 4;
    int cell = blockIdx.x, chunk = me % 8;
    float s1[8] = {}, s2[8] = {}, mean[8], a2[8], shift[8];

    ptx_grid_launch();

    for (int e = me; e < HIDDEN * 8; e += HEAD_THREADS)
        ptx_cp_async<16>(weights + in_128(e / 8, e % 8),
                         f.fc1_half + (size_t)cell * HIDDEN * CH2 + e * 8);
    ptx_grid_wait();
    for (int e = 0; e < 8; e++) {
        mean[e] = f.coef2[chunk * 8 + e];
        a2[e] = f.coef2[2 * CH2 + chunk * 8 + e];
        shift[e] = f.coef2[3 * CH2 + chunk * 8 + e];
    }
    for (int i0 = blockIdx.y * LOT; i0 < f.n; i0 += gridDim.y * LOT) {
        float c[2][2][4] = {};
        uint4 won[2] = {}; /* z2 that won, of this thread's two rows */

        for (int h = 0; h < 2; h++) {
            size_t i = i0 + me / 8 + h * 32;

            if (i < (size_t)f.n)
                won[h] = *(const uint4 *)(f.best + (i * CELLS + cell) * CH2 +
                                          chunk * 8);
        }

        /* a row of dh is two lines of 128 bytes */
        for (int e = me; e < LOT * 16; e += HEAD_THREADS)
            ptx_cp_async<16>(d + e / 8 % 2 * LOT * 128 + in_128(e / 16, e % 8),
                             f.dh + (size_t)i0 * HIDDEN + e * 8);
        ptx_cp_async_commit();
        ptx_cp_async_wait<0>();
        __syncthreads();

/* multiply gradients by the weights of fc1 */
#pragma unroll
        for (int k = 0; k < 8; k++) {
            unsigned a[2][4], b[4];

            for (int r = 0; r < 2; r++)
                ptx_ldmatrix<4, 0>(a[r],
                                   d + k / 4 * LOT * 128 +
                                       in_128(w / 4 * 32 + r * 16 + l % 16,
                                              k % 4 * 2 + l / 16));
            ptx_ldmatrix<4, 1>(b,
                               weights + in_128(k * 16 + l / 8 % 2 * 8 + l % 8,
                                                w % 4 * 2 + l / 16));
            for (int r = 0; r < 2; r++)
                for (int s = 0; s < 2; s++)
                    ptx_mma_bf16(c[r][s], a[r], &b[s * 2], c[r][s]);
        }
        __syncthreads();
        for (int r = 0; r < 4; r++)
            for (int s = 0; s < 2; s++)
                *(float2 *)(tile + (w / 4 * 32 + r * 8 + g) * (CH2 + 4) +
                            w % 4 * 16 + s * 8 + 2 * t) =
                    make_float2(c[r / 2][s][r % 2 * 2],
                                c[r / 2][s][r % 2 * 2 + 1]);
        __syncthreads();

/* leave gradients to the winners */
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int row = me / 8 + h * 32, i = i0 + row;
            size_t at = ((size_t)i * CELLS + cell) * CH2 + chunk * 8;
            unsigned v[4];
            uint4 z = won[h];

            if (i >= f.n)
                continue;
#pragma unroll
            for (int e = 0; e < 8; e += 2) {
                float y[2];

#pragma unroll
                for (int o = 0; o < 2; o++) {
                    int ch = chunk * 8 + e + o;
                    float b = of_eight(z, e + o);

                    y[o] = fmaf(a2[e + o], b, shift[e + o]) > 0
                               ? tile[row * (CH2 + 4) + ch]
                               : 0;
                }
                v[e / 2] = pair_of(y[0], y[1]);
                for (int o = 0; o < 2; o++) {
                    float dy = o ? high_of(v[e / 2]) : low_of(v[e / 2]);

                    s1[e + o] += dy;
                    s2[e + o] =
                        fmaf(dy, of_eight(z, e + o) - mean[e + o], s2[e + o]);
                }
            }
            *(uint4 *)(f.dp2 + at) = make_uint4(v[0], v[1], v[2], v[3]);
        }
        __syncthreads();
    }
    ptx_cp_async_wait<0>();

/* add up what came back to the cells */
#pragma unroll
    for (int e = 0; e < 8; e++) {
        for (int b = 8; b < 32; b *= 2) {
            s1[e] += __shfl_xor_sync(~0u, s1[e], b);
            s2[e] += __shfl_xor_sync(~0u, s2[e], b);
        }
        if (l < 8) {
            total[w][l * 8 + e] = s1[e];
            total[w][CH2 + l * 8 + e] = s2[e];
        }
    }
    __syncthreads();
    if (me < 2 * CH2) {
        float all = 0;

        for (int k = 0; k < 8; k++)
            all += total[k][me];
        add_units(&f.dy_sums[me], all, DY_UNIT);
    }
}

/* take the step of fc1 */
enum { FC1_THREADS = 128, FC1_STAGES = 6, FC1_STAGE = 2 * LOT * 128 };

/* The gradient of fc1's weights of one cell for half of the hidden numbers, and
   their step. grid: cells, 2. */
__global__ void __launch_bounds__(FC1_THREADS)
    step_fc1(const __grid_constant__ struct fused f)
{
    extern __shared__ __align__(1024) char room[];
    int me = threadIdx.x, l = me % 32, w = me / 32, g = l / 4, t = l % 4;
    int cell = blockIdx.x, half = blockIdx.y, tiles = (f.n + LOT - 1) / LOT;
    float c[2][4][4] = {}, rate = f.args->rate;

    for (int s = 0; s < tiles + FC1_STAGES - 1; s++) {
        const char *now = room + (s + 1) % FC1_STAGES * FC1_STAGE;

        /* fetch 64 pictures of both factors */
        if (s < tiles) {
            char *to = room + s % FC1_STAGES * FC1_STAGE;

            for (int e = me; e < LOT * 8; e += FC1_THREADS) {
                int i = s * LOT + e / 8;

                ptx_cp_async<16>(to + in_128(e / 8, e % 8),
                                 f.dh + (size_t)i * HIDDEN + half * 64 +
                                     e % 8 * 8);
                ptx_cp_async<16>(to + LOT * 128 + in_128(e / 8, e % 8),
                                 i < f.n
                                     ? f.p2 + ((size_t)i * CELLS + cell) * CH2 +
                                           e % 8 * 8
                                     : f.p2,
                                 i < f.n ? 16 : 0);
            }
        }
        ptx_cp_async_commit();
        if (s < FC1_STAGES - 1)
            continue;
        ptx_cp_async_wait<FC1_STAGES - 1>();
        __syncthreads();

/* multiply 64 pictures */
#pragma unroll
        for (int k = 0; k < LOT; k += 16) {
            unsigned a[2][4], b[2][4];

            for (int r = 0; r < 2; r++)
                ptx_ldmatrix<4, 1>(a[r],
                                   now + in_128(k + l / 16 * 8 + l % 8,
                                                w / 2 * 4 + r * 2 + l / 8 % 2));
            for (int r = 0; r < 2; r++)
                ptx_ldmatrix<4, 1>(b[r],
                                   now + LOT * 128 +
                                       in_128(k + l / 8 % 2 * 8 + l % 8,
                                              w % 2 * 4 + r * 2 + l / 16));
            for (int r = 0; r < 2; r++)
                for (int s8 = 0; s8 < 4; s8++)
                    ptx_mma_bf16(c[r][s8], a[r], &b[s8 / 2][s8 % 2 * 2],
                                 c[r][s8]);
        }
        __syncthreads();
    }
    ptx_cp_async_wait<0>();

/* step and round */
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int s = 0; s < 4; s++) {
            size_t at =
                ((size_t)cell * HIDDEN + half * 64 + w / 2 * 32 + r * 8 + g) *
                    CH2 +
                w % 2 * 32 + s * 8 + 2 * t;
            float2 *to = (float2 *)(f.fc1 + at), v = *to;

            v.x -= rate * c[r / 2][s][r % 2 * 2];
            v.y -= rate * c[r / 2][s][r % 2 * 2 + 1];
            *to = v;
            *(unsigned *)(f.fc1_half + at) = pair_of(v.x, v.y);
        }
}

#endif

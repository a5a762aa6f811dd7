/* forward.cuh: from pictures to the sums of the hidden layer. */
#ifndef RACE_FORWARD_CUH
#define RACE_FORWARD_CUH

#include "race/first.cuh"

/* convolve twice */
enum { CONV_THREADS = 224, FILTER_BYTES = FILTERS * 2, P1_BYTES = PADDED * 64 };
enum {
    CONV_SUMS = 8 * CONV_THREADS * 16, /* 16 sums and 16 of squares a thread */
    CONV_BYTES =
        FILTER_BYTES + P1_BYTES + 16 * 32 * 8 + INK_PADDED * 2 + CONV_SUMS
};

/* z2 of some pictures, and the sums of its channels and of their squares. Seven
   warps; a warp has two rows. With 2 PARTS a block has half of the columns:
   blockIdx.y, for batches that leave SMs without a picture. */
template <int PARTS>
__global__ void __launch_bounds__(CONV_THREADS, 2)
    convolve_twice(const __grid_constant__ struct fused f)
{
    extern __shared__ __align__(1024) char room[];
    __shared__ float2 coef[CH1];
    char *filters = room, *p1 = filters + FILTER_BYTES;
    uint2 *taps = (uint2 *)(p1 + P1_BYTES);
    bf16 *ink = (bf16 *)(taps + 16 * 32);
    int me = threadIdx.x, l = me % 32, w = me / 32, g = l / 4, t = l % 4;
    float4 *sums = (float4 *)(ink + INK_PADDED) + me;
    const int N = CH2 / PARTS, part = PARTS == 1 ? 0 : blockIdx.y;
    unsigned word = 0; /* four pixels of the next picture */

    ptx_grid_launch();

    /* set up both convolutions */
    for (int e = me; e < FILTERS / 8 / PARTS; e += CONV_THREADS) {
        int line = e / 4 / N * CH2 + part * N + e / 4 % N;

        ptx_cp_async<16>(filters + in_64(line, e % 4),
                         f.filters + line * CH1 + e % 4 * 8);
    }
    ptx_cp_async_commit();
    for (int e = me; e < P1_BYTES / 4; e += CONV_THREADS)
        ((unsigned *)p1)[e] = 0;
    for (int e = me; e < INK_PADDED / 2; e += CONV_THREADS)
        ((unsigned *)ink)[e] = 0;
    for (int e = 0; e < 8; e++)
        sums[e * CONV_THREADS] = make_float4(0, 0, 0, 0);
    put_taps(f.conv1, taps, CONV_THREADS);
    ptx_grid_wait(); /* for the moments */
    if (me < CH1) {
        double mean, var, r;
        float a, shift;

        moments_of_channel(f, f.sums, me, &mean, &var);
        r = 1 / sqrt(var + 1e-5);
        a = (float)(f.bn1[me] * r);
        shift = (float)(f.bn1[CH1 + me] - mean * f.bn1[me] * r);
        coef[me] = make_float2(a / 255, shift);
        if (blockIdx.x == 0 && part == 0) {
            for (int e = me; e < 2 * CH2; e += CH1)
                f.dy_sums[e] = 0; /* for the way back */
            f.moments[me] = (float)mean;
            f.moments[CH1 + me] = (float)var;
            f.coef1[me] = (float)mean;
            f.coef1[CH1 + me] = (float)r;
            f.coef1[2 * CH1 + me] = a / 255;
            f.coef1[3 * CH1 + me] = shift;
        }
    }
    ptx_cp_async_wait<0>();
    if (me < INK / 4 && (int)blockIdx.x < f.n)
        word = ((const unsigned *)image_of(f, blockIdx.x))[me];
    for (int i = blockIdx.x; i < f.n; i += gridDim.x) {
        float c[2][N / 8][4] = {};
        unsigned v[4][N / 8]; /* pairs of z2 */

        __syncthreads();
        put_picture(word, ink);
        __syncthreads();
        if (me < INK / 4 && i + (int)gridDim.x < f.n)
            word = ((const unsigned *)image_of(f, i + gridDim.x))[me];
        first_block<0>(ink, taps, coef, 2 * w, p1, NULL);
        first_block<0>(ink, taps, coef, 2 * w + 1, p1, NULL);
        __syncthreads();

/* convolve a picture by the second filters */
#pragma unroll 1
        for (int down = 0; down < 3; down++)
#pragma unroll
            for (int k = 0; k < 6; k++) {
                int q = (2 * w + down) * PITCH + k / 2 + l % 16;
                int tap = down * 3 + k / 2;
                unsigned a[2][4], b[N / 16][4];

                for (int r = 0; r < 2; r++)
                    ptx_ldmatrix<4, 0>(
                        a[r], p1 + in_64(r * PITCH + q, k % 2 * 2 + l / 16));
                for (int s = 0; s < N / 16; s++)
                    ptx_ldmatrix<4, 0>(
                        b[s], filters + in_64(tap * CH2 + part * N + s * 16 +
                                                  l / 16 * 8 + l % 8,
                                              k % 2 * 2 + l / 8 % 2));
                for (int r = 0; r < 2; r++)
                    for (int s = 0; s < N / 8; s++)
                        ptx_mma_bf16(c[r][s], a[r], &b[s / 2][s % 2 * 2],
                                     c[r][s]);
            }

/* store z2 and add it up */
#pragma unroll
        for (int r = 0; r < 4; r++) {
            int x = g + r % 2 * 8, y = 2 * w + r / 2;

#pragma unroll
            for (int s = 0; s < N / 8; s++)
                v[r][s] = x < SIDE2 ? pair_of(c[r / 2][s][r % 2 * 2],
                                              c[r / 2][s][r % 2 * 2 + 1])
                                    : 0;
            if (x < SIDE2) {
                uint4 *to =
                    (uint4 *)(f.z2 +
                              ((size_t)i * PIXELS + y * SIDE2 + x) * CH2 +
                              t * 16 + part * N / 4);

#pragma unroll
                for (int s = 0; s < N / 32; s++)
                    to[s] = make_uint4(v[r][4 * s], v[r][4 * s + 1],
                                       v[r][4 * s + 2], v[r][4 * s + 3]);
            }
        }
#pragma unroll
        for (int s = 0; s < N / 8; s++) {
            float4 all = sums[s * CONV_THREADS];

#pragma unroll
            for (int r = 0; r < 4; r++) {
                float z0 = low_of(v[r][s]), z1 = high_of(v[r][s]);

                all.x += z0;
                all.y += z1;
                all.z = fmaf(z0, z0, all.z);
                all.w = fmaf(z1, z1, all.w);
            }
            sums[s * CONV_THREADS] = all;
        }
    }
    /* add up what a block has of z2 */
    __syncthreads();
    /* channel me % 64, which may be another part's: its sum, or of its squares */
    if (me < 2 * CH2 && me % 16 / 2 * 8 / N == part) {
        const float *from = (const float *)(ink + INK_PADDED) +
                            me % (N / 4) / 2 * CONV_THREADS * 4 + me % 2 +
                            me / CH2 * 2;
        float all = 0;

        for (int k = 0; k < CONV_THREADS / 4; k++)
            all += from[(k * 4 + me % CH2 / 16) * 4];
        add_units(&f.z_sums[me], all, Z_UNIT);
    }
}

/* take maxima and multiply by the weights of fc1 */
enum { HEAD_THREADS = 256 };

/* A tile of pictures and some cells: p2, and what they add to the hidden layer.
   grid: tiles of pictures, splits of the cells. */
__global__ void __launch_bounds__(HEAD_THREADS, 2)
    pool_and_multiply(const __grid_constant__ struct fused f)
{
    __shared__ __align__(1024) char weights[HIDDEN * 128], x[LOT * 128];
    __shared__ float2 coef[CH2];
    int me = threadIdx.x, l = me % 32, w = me / 32, g = l / 4, t = l % 4;
    int i0 = blockIdx.x * LOT, chunk = me % 8;
    int end = min(CELLS, ((int)blockIdx.y + 1) * f.cells2);
    float c[2][4][4] = {};

    ptx_grid_launch();
    ptx_grid_wait();
    /* normalize block 2 */
    if (me < CH2) {
        double count = (double)f.n * PIXELS;
        double mean = from_units(f.z_sums[me], Z_UNIT) / count;
        double square = from_units(f.z_sums[CH2 + me], Z_UNIT) / count;
        double var = fmax(square - mean * mean, 0.0);
        double r = 1 / sqrt(var + 1e-5);
        float a = (float)(f.bn2[me] * r);
        float shift = (float)(f.bn2[CH2 + me] - mean * f.bn2[me] * r);

        coef[me % 8 * 8 + me / 8] = make_float2(a, shift);
        if (blockIdx.x == 0 && blockIdx.y == 0) {
            f.moments[2 * CH1 + me] = (float)mean;
            f.moments[2 * CH1 + CH2 + me] = (float)var;
            f.coef2[me] = (float)mean;
            f.coef2[CH2 + me] = (float)r;
            f.coef2[2 * CH2 + me] = a;
            f.coef2[3 * CH2 + me] = shift;
        }
    }
    if (blockIdx.x == 0 && blockIdx.y == 0 && me < MOMENTS) {
        f.kept[me] = f.sums[me];
        f.sums[me] = 0; /* for the next step */
    }
    for (int cell = blockIdx.y * f.cells2; cell < end; cell++) {
        __syncthreads();
        for (int e = me; e < HIDDEN * 8; e += HEAD_THREADS)
            ptx_cp_async<16>(weights + in_128(e / 8, e % 8),
                             f.fc1_half + (size_t)cell * HIDDEN * CH2 + e * 8);
        ptx_cp_async_commit();

/* take the maxima of 64 pictures */
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int row = me / 8 + h * 32, i = i0 + row;
            uint4 y = {}, won = {};

            if (i < f.n) {
                const bf16 *z = f.z2 +
                                ((size_t)i * PIXELS + cell / SIDE3 * 2 * SIDE2 +
                                 cell % SIDE3 * 2) *
                                    CH2 +
                                chunk * 8;
                uint4 v[4];
                float most[8], from[8];
                size_t at = ((size_t)i * CELLS + cell) * CH2 + chunk * 8;

#pragma unroll
                for (int j = 0; j < 4; j++)
                    v[j] = *(const uint4 *)(z + (j / 2 * SIDE2 + j % 2) * CH2);
#pragma unroll
                for (int e = 0; e < 8; e++) {
                    float2 k = coef[e * 8 + chunk];

                    most[e] = 0;
                    from[e] = of_eight(v[0], e);
#pragma unroll
                    for (int j = 0; j < 4; j++) {
                        float one = of_eight(v[j], e);
                        float b = fmaf(k.x, one, k.y);

                        from[e] = b > most[e] ? one : from[e];
                        most[e] = b > most[e] ? b : most[e];
                    }
                }
                y = make_uint4(
                    pair_of(most[0], most[1]), pair_of(most[2], most[3]),
                    pair_of(most[4], most[5]), pair_of(most[6], most[7]));
                won = make_uint4(
                    pair_of(from[0], from[1]), pair_of(from[2], from[3]),
                    pair_of(from[4], from[5]), pair_of(from[6], from[7]));
                *(uint4 *)(f.p2 + at) = y;
                *(uint4 *)(f.best + at) = won;
            }
            *(uint4 *)(x + in_128(row, chunk)) = y;
        }
        ptx_cp_async_wait<0>();
        __syncthreads();

/* multiply a cell by the weights of fc1 */
#pragma unroll
        for (int k = 0; k < 4; k++) {
            unsigned a[2][4], b[2][4];

            for (int r = 0; r < 2; r++)
                ptx_ldmatrix<4, 0>(
                    a[r],
                    x + in_128(w / 4 * 32 + r * 16 + l % 16, k * 2 + l / 16));
            for (int s = 0; s < 2; s++)
                ptx_ldmatrix<4, 0>(
                    b[s],
                    weights + in_128(w % 4 * 32 + s * 16 + l / 16 * 8 + l % 8,
                                     k * 2 + l / 8 % 2));
            for (int r = 0; r < 2; r++)
                for (int s = 0; s < 4; s++)
                    ptx_mma_bf16(c[r][s], a[r], &b[s / 2][s % 2 * 2], c[r][s]);
        }
    }

/* write sums of the hidden layer */
#pragma unroll
    for (int r = 0; r < 4; r++) {
        int i = i0 + w / 4 * 32 + r * 8 + g;

        if (i < f.n)
#pragma unroll
            for (int s = 0; s < 4; s++)
                *(float2 *)(f.h_sums + ((size_t)blockIdx.y * f.n + i) * HIDDEN +
                            w % 4 * 32 + s * 8 + 2 * t) =
                    make_float2(c[r / 2][s][r % 2 * 2],
                                c[r / 2][s][r % 2 * 2 + 1]);
    }
}

#endif

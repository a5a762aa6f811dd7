/* warp.cuh: products of matrices of bf16 by wmma and by mma.sync. */
#ifndef TENSOR_WARP_CUH
#define TENSOR_WARP_CUH

#include <mma.h>

#include "tensor/product.cuh"

enum { MMA_TILE = 128, MMA_THREADS = 256, MMA_STAGES = 3 };
enum { MMA_STAGE = 2 * MMA_TILE * 128 }; /* bytes */

/* multiply one element by a thread */
__global__ void multiply_plain16(const __grid_constant__ struct product16 g)
{
    size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int i = (int)(e / g.n), j = (int)(e % g.n);
    float sum = 0, old = 0;

    if (e >= (size_t)g.m * g.n)
        return;
    for (int p = 0; p < g.k; p++)
        sum += __bfloat162float(g.a[i * g.sa.row + p * g.sa.col]) *
               __bfloat162float(g.b[p * g.sb.row + j * g.sb.col]);
    if (g.beta != 0)
        old = g.beta * __bfloat162float(g.c[(size_t)i * g.ldc + j]);
    g.c[(size_t)i * g.ldc + j] = __float2bfloat16(g.alpha * sum + old);
}

/* multiply by wmma */
/* C = alpha op(A) op(B) + beta C for any sizes: a block of four warps has 64 x 64
   elements, a warp 32 x 32 of them, in four fragments. */
__global__ void __launch_bounds__(128)
    multiply_wmma(const __grid_constant__ struct product16 g)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    using namespace nvcuda;
    enum { K = 32, LINE_A = K + 8, LINE_B = 64 + 8, LINE_C = 64 + 4 };
    __shared__ __align__(128) bf16 a[64 * LINE_A], b[K * LINE_B];
    __shared__ __align__(128) float sums[64 * LINE_C];
    int i0 = (int)blockIdx.x / g.across * 64, w = threadIdx.x / 32;
    int j0 = (int)blockIdx.x % g.across * 64, i = w / 2 * 32, j = w % 2 * 32;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> x[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> y[2];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];

    for (int e = 0; e < 4; e++)
        wmma::fill_fragment(c[e / 2][e % 2], 0.0f);
    for (int p0 = 0; p0 < g.k; p0 += K) {
        /* fetch tiles for wmma */
        for (int e = threadIdx.x; e < 64 * K; e += 128) {
            int r = e / K, p = e % K, q = e / 64, s = e % 64;

            a[r * LINE_A + p] =
                i0 + r < g.m && p0 + p < g.k
                    ? g.a[(i0 + r) * g.sa.row + (p0 + p) * g.sa.col]
                    : __float2bfloat16(0);
            b[q * LINE_B + s] =
                p0 + q < g.k && j0 + s < g.n
                    ? g.b[(p0 + q) * g.sb.row + (j0 + s) * g.sb.col]
                    : __float2bfloat16(0);
        }
        __syncthreads();
        /* multiply tiles by wmma */
        for (int p = 0; p < K; p += 16) {
            for (int e = 0; e < 2; e++) {
                wmma::load_matrix_sync(x[e], &a[(i + 16 * e) * LINE_A + p],
                                       LINE_A);
                wmma::load_matrix_sync(y[e], &b[p * LINE_B + j + 16 * e],
                                       LINE_B);
            }
            for (int e = 0; e < 4; e++)
                wmma::mma_sync(c[e / 2][e % 2], x[e / 2], y[e % 2],
                               c[e / 2][e % 2]);
        }
        __syncthreads();
    }
    /* write the fragments of wmma */
    for (int e = 0; e < 4; e++)
        wmma::store_matrix_sync(
            &sums[(i + e / 2 * 16) * LINE_C + j + e % 2 * 16], c[e / 2][e % 2],
            LINE_C, wmma::mem_row_major);
    __syncthreads();
    for (int e = threadIdx.x; e < 64 * 32; e += 128) {
        int r = e / 32, s = e % 32 * 2;

        put_pair(g, i0 + r, j0 + s, sums[r * LINE_C + s],
                 sums[r * LINE_C + s + 1]);
    }
#endif
}

/* find a piece of a tile */
/* Where the 16 bytes are that begin with element (row, step) of a tile: from
   its start, in bytes. TURNED: lines run along the rows, and not along k. */
template <int TURNED>
static __device__ inline int piece(int row, int step)
{
    int line = TURNED ? row / 64 * 64 + step : row;
    int at = TURNED ? row % 64 / 8 : step / 8;

    return line * 128 + (at ^ line % 8) * 16;
}

/* copy a piece by elements */
/* `count` numbers from `from`, the rest of 8 zeros, to 16 bytes. */
static __device__ inline void copy_piece(char *to, const bf16 *from, int count)
{
    unsigned x[4] = {};

#pragma unroll
    for (int e = 0; e < 8; e++)
        if (e < count)
            x[e / 2] |= (unsigned)__bfloat16_as_ushort(from[e]) << e % 2 * 16;
    *(uint4 *)to = make_uint4(x[0], x[1], x[2], x[3]);
}

/* fetch a tile by pieces */
/* The tile of MMA_TILE rows from r0 on and 64 steps from k0 on. x[row * ld +
   step], or, if TURNED, x[step * ld + row]; zeros behind `rows` and `steps`. */
template <int TURNED, int WHOLE>
static __device__ inline void fetch_tile(char *to, const bf16 *x, int ld,
                                         int r0, int rows, int k0, int steps)
{
#pragma unroll
    for (int e = threadIdx.x; e < MMA_TILE * 8; e += MMA_THREADS) {
        int line = e / 8,
            at = e % 8 * 8; /* and the first element of the piece */
        int row = TURNED ? line / 64 * 64 + at : line;
        int step = TURNED ? line % 64 : at;
        int left = TURNED ? rows - r0 - row : steps - k0 - step;
        int inside = TURNED ? k0 + step < steps : r0 + row < rows;
        const bf16 *from = x + (TURNED ? (size_t)(k0 + step) * ld + r0 + row
                                       : (size_t)(r0 + row) * ld + k0 + step);

        left = inside ? max(0, min(8, left)) : 0;
        if (WHOLE)
            ptx_cp_async<16>(to + piece<TURNED>(row, step), left ? from : x,
                             2 * left);
        else
            copy_piece(to + piece<TURNED>(row, step), from, left);
    }
}

/* load fragments */
/* 16 rows from i on and 16 steps from p on, as mma.sync wants A. */
template <int TURNED>
static __device__ inline void load_a(unsigned *to, const char *tile, int i,
                                     int p)
{
    int l = threadIdx.x % 32, row = i + l / 8 % 2 * 8, step = p + l / 16 * 8;

    row += TURNED ? 0 : l % 8;
    step += TURNED ? l % 8 : 0;
    ptx_ldmatrix<4, TURNED>(to, tile + piece<TURNED>(row, step));
}

/* 16 columns from j on: two times what mma.sync wants as B. */
template <int TURNED>
static __device__ inline void load_b(unsigned *to, const char *tile, int j,
                                     int p)
{
    int l = threadIdx.x % 32, col = j + l / 16 * 8, step = p + l / 8 % 2 * 8;

    col += TURNED ? 0 : l % 8;
    step += TURNED ? l % 8 : 0;
    ptx_ldmatrix<4, TURNED>(to, tile + piece<TURNED>(col, step));
}

/* write fragments */
/* A warp's 64 x 32 sums, which begin at (i0, j0) of C. */
static __device__ inline void put_fragments(const struct product16 &g, int i0,
                                            int j0, const float c[4][4][4])
{
    int l = threadIdx.x % 32;

#pragma unroll
    for (int e = 0; e < 8; e++)
        for (int f = 0; f < 4; f++)
            put_pair(g, i0 + e * 8 + l / 4, j0 + f * 8 + l % 4 * 2,
                     c[e / 2][f][e % 2 * 2], c[e / 2][f][e % 2 * 2 + 1]);
}

/* multiply by fragments */
/* C = alpha op(A) op(B) + beta C for any sizes. TA, TB: the lines of the tile run
   along rows of op(A), columns of op(B). WHOLE: all rows in memory begin at
   multiples of 16 bytes. */
template <int TA, int TB, int WHOLE>
__global__ void __launch_bounds__(MMA_THREADS, 2)
    multiply_fragments(const __grid_constant__ struct product16 g)
{
    extern __shared__ __align__(1024) char tiles[];
    int2 at = tile_place((int)blockIdx.x, g.down, g.across, g.strip);
    int i0 = at.x * MMA_TILE, j0 = at.y * MMA_TILE;
    int w = threadIdx.x / 32, i = w / 4 * 64, j = w % 4 * 32;
    int steps = (g.k + 63) / 64;
    float c[4][4][4] = {};

    for (int s = 0; s < MMA_STAGES - 1; s++) {
        /* fetch a stage */
        if (s < steps) {
            char *to = tiles + s % MMA_STAGES * MMA_STAGE;

            fetch_tile<TA, WHOLE>(to, g.a, g.lda, i0, g.m, s * 64, g.k);
            fetch_tile<TB, WHOLE>(to + MMA_TILE * 128, g.b, g.ldb, j0, g.n,
                                  s * 64, g.k);
        }
        ptx_cp_async_commit();
    }
    for (int step = 0; step < steps; step++) {
        const char *a = tiles + step % MMA_STAGES * MMA_STAGE;

        ptx_cp_async_wait<MMA_STAGES - 2>();
        __syncthreads();
        int s = step + MMA_STAGES - 1;
        /* fetch a stage */
        if (s < steps) {
            char *to = tiles + s % MMA_STAGES * MMA_STAGE;

            fetch_tile<TA, WHOLE>(to, g.a, g.lda, i0, g.m, s * 64, g.k);
            fetch_tile<TB, WHOLE>(to + MMA_TILE * 128, g.b, g.ldb, j0, g.n,
                                  s * 64, g.k);
        }
        ptx_cp_async_commit();

/* multiply a stage */
#pragma unroll
        for (int p = 0; p < 64; p += 16) {
            unsigned x[4][4], y[2][4];

            for (int e = 0; e < 4; e++)
                load_a<TA>(x[e], a, i + 16 * e, p);
            for (int f = 0; f < 2; f++)
                load_b<TB>(y[f], a + MMA_TILE * 128, j + 16 * f, p);
            for (int e = 0; e < 4; e++)
                for (int f = 0; f < 4; f++)
                    ptx_mma_bf16(c[e][f], x[e], &y[f / 2][f % 2 * 2], c[e][f]);
        }
    }
    ptx_cp_async_wait<0>();
    put_fragments(g, i0 + i, j0 + j, c);
}

#endif

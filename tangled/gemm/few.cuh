/* few.cuh: products of matrices of which one side is short. */
#ifndef GEMM_FEW_CUH
#define GEMM_FEW_CUH

#include "gemm/tiles.cuh"

/* describe a product with a short side */
/* C(s, l) = alpha (sum over p of Y(s, p) X(p, l)) + beta C(s, l), s < few,
   l < many. */
struct few {
    int few, many, k;
    int parts, each; /* parts of k, and steps in each */
    float alpha, beta;
    const float *x, *y;
    float *c, *sums; /* sums: parts x few x many, where there are parts */
    struct steps sx, sy, sc;
};

enum { WARPS = 8 }; /* in a block */

/* write an element of a short product */
static __device__ inline void put_few(const struct few &g, int s, int l,
                                      float sum)
{
    float *out = &g.c[s * g.sc.row + l * g.sc.col];

    if (g.parts > 1)
        g.sums[((size_t)blockIdx.y * g.few + s) * g.many + l] = sum;
    else
        *out = g.alpha * sum + (g.beta == 0 ? 0 : g.beta * *out);
}

/* load one number or four */
template <int V>
static __device__ inline void load_some(float (&to)[V], const float *from)
{
    if (V == 4)
        *(float4 *)to = *(const float4 *)from;
    else
        to[0] = *from;
}

/* multiply with lanes across the columns */
/* S >= few. A lane has V columns, which lie side by side where V is 4; a warp
   has every eighth step. */
template <int S, int V>
__global__ void __launch_bounds__(32 * WARPS)
    multiply_across(const __grid_constant__ struct few g)
{
    __shared__ float part[WARPS][S][32 * V];
    int l = (blockIdx.x * 32 + threadIdx.x) * V;
    int start = blockIdx.y * g.each, end = min(start + g.each, g.k);
    float c[S][V] = {};

#pragma unroll 4
    for (int p = start + threadIdx.y; p < end && l < g.many; p += WARPS) {
        __align__(16) float x[V];

        load_some(x, g.x + p * g.sx.row + l * g.sx.col);
#pragma unroll
        for (int s = 0; s < S; s++) {
            float y = s < g.few ? g.y[s * g.sy.row + p * g.sy.col] : 0;

            for (int q = 0; q < V; q++)
                c[s][q] += y * x[q];
        }
    }

/* add what the warps have */
#pragma unroll
    for (int s = 0; s < S; s++)
        for (int q = 0; q < V; q++)
            part[threadIdx.y][s][threadIdx.x + 32 * q] = c[s][q];
    __syncthreads();
    for (int e = threadIdx.y * 32 + threadIdx.x; e < S * 32 * V;
         e += 32 * WARPS) {
        int s = e / (32 * V), at = e % (32 * V);
        int col = (blockIdx.x * 32 + at % 32) * V + at / 32;
        float sum = 0;

        for (int w = 0; w < WARPS; w++)
            sum += part[w][s][at];
        if (s < g.few && col < g.many)
            put_few(g, s, col, sum);
    }
}

/* multiply with lanes along the sums */
/* S >= few. A warp has PAIR columns, and its lanes run along k by V. */
template <int S, int V>
__global__ void __launch_bounds__(32 * WARPS)
    multiply_along(const __grid_constant__ struct few g)
{
    enum { PAIR = S > 1 ? 2 : 1 };
    int l = (blockIdx.x * WARPS + threadIdx.y) * PAIR;
    int start = blockIdx.y * g.each, end = min(start + g.each, g.k);
    float c[S][PAIR] = {};

    if (l >= g.many)
        return;
#pragma unroll 2
    for (int p = start + threadIdx.x * V; p < end; p += 32 * V) {
        __align__(16) float x[PAIR][V];

        for (int r = 0; r < PAIR; r++)
            load_some(x[r], g.x + min(l + r, g.many - 1) * g.sx.col + p);
#pragma unroll
        for (int s = 0; s < S; s++)
            for (int q = 0; q < V; q++) {
                float y =
                    s < g.few ? g.y[s * g.sy.row + (p + q) * g.sy.col] : 0;

                for (int r = 0; r < PAIR; r++)
                    c[s][r] += y * x[r][q];
            }
    }

/* add what the lanes have */
#pragma unroll
    for (int s = 0; s < S; s++)
        for (int r = 0; r < PAIR; r++) {
            for (int d = 16; d > 0; d /= 2)
                c[s][r] += __shfl_xor_sync(0xffffffff, c[s][r], d);
            if (threadIdx.x == 0 && s < g.few && l + r < g.many)
                put_few(g, s, l + r, c[s][r]);
        }
}

/* describe sums to be added */
/* Tiles of tall x wide elements of C, those from `first` on, whose sums lie
   in parts: element (i, j) of C is at c[i * sc.row + j * sc.col]. */
struct adding {
    int m, n, tall, wide, down, across, first, parts;
    float alpha, beta;
    const float *sums;
    float *c;
    struct steps sc;
};

static __host__ __device__ inline int few_parts(int parts)
{
    return parts < 2 * WARPS;
}

/* add the parts */
/* C = alpha (the sum of its parts) + beta C, in the same order every time. A
   column of blocks for each tile. */
static __global__ void __launch_bounds__(32 * WARPS)
    add_parts(const __grid_constant__ struct adding g)
{
    __shared__ float some[WARPS][32];
    int alone = few_parts(g.parts), warps = alone ? 1 : WARPS;
    int line = alone ? blockIdx.x * WARPS + threadIdx.y : blockIdx.x;
    int e = line * 32 + threadIdx.x, size = g.tall * g.wide;
    int2 at = find_tile(g.first + blockIdx.y, g.down, g.across);
    int i = at.x * g.tall + e / g.wide, j = at.y * g.wide + e % g.wide;
    const float *sums = g.sums + (size_t)blockIdx.y * g.parts * size + e;
    int inside = e < size && i < g.m && j < g.n;
    float sum = 0;

    if (inside)
#pragma unroll 8
        for (int z = alone ? 0 : threadIdx.y; z < g.parts; z += warps)
            sum += sums[(size_t)z * size];
    some[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if ((alone || threadIdx.y == 0) && inside) {
        float *out = &g.c[i * g.sc.row + j * g.sc.col];

        for (int w = 1; w < warps; w++)
            sum += some[w][threadIdx.x];
        *out = g.alpha * sum + (g.beta == 0 ? 0 : g.beta * *out);
    }
}

#endif

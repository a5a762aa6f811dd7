/* box.cuh: a box filter, from a tile and from a pipeline of tiles. */
#ifndef MEMORY_BOX_CUH
#define MEMORY_BOX_CUH

#include <limits.h>

#include "memory/async.cuh"
#include "memory/move.cuh"

#ifdef __LOOM__
enum { BOX_BLOCKS = 3 };
#else
enum { BOX_BLOCKS = 132 * 8 }; /* what an H200 can hold */
#endif

/* start to load a tile */
enum { RADIUS = 4, BOX = 1024, SPAN = BOX + 2 * RADIUS, BOX_THREADS = 256 };

/* Starts to copy elements first - RADIUS ... of tile number `tile`, SIZE bytes
   at a time. */
template <int SIZE>
static __device__ inline void start_tile(size_t n, size_t tile, const float *x,
                                         float *s)
{
    enum { EACH = SIZE / 4 };

    if (SIZE > 4 && (tile + 1) * BOX + RADIUS > n) {
        start_tile<4>(n, tile, x, s); /* its end may be part of a vector */
        return;
    }
    for (int k = EACH * threadIdx.x; k < SPAN; k += EACH * BOX_THREADS) {
        size_t i = tile * BOX + k - RADIUS; /* wraps below 0: is large */
        int here = i < n;

        async_copy<SIZE>(&s[k], here ? &x[i] : x, here);
    }
}

/* sum a tile */
/* The sums of a tile, as far as they exist; SIZE: bytes read at a time. */
template <int SIZE>
static __device__ inline void sum_tile(size_t n, size_t tile, const float *s,
                                       float *y)
{
    for (int k = threadIdx.x; k < BOX; k += BOX_THREADS) {
        float sum = 0;

        for (int d = 0; d <= 2 * RADIUS; d++)
            sum += s[k + d];
        if (tile * BOX + k < n)
            y[tile * BOX + k] = sum;
    }
}

/* sum a tile by vectors */
template <>
__device__ inline void sum_tile<16>(size_t n, size_t tile, const float *s,
                                    float *y)
{
    const float4 *v = (const float4 *)s + threadIdx.x;
    float4 a = v[0], b = v[1], c = v[2];
    float all = a.w + (b.x + b.y + b.z + b.w) + c.x;
    float sum[4] = {a.x + a.y + a.z + all, a.y + a.z + all + c.y,
                    a.z + all + c.y + c.z, all + c.y + c.z + c.w};
    size_t i = tile * BOX + 4 * threadIdx.x;

    if (i + 3 < n)
        *(float4 *)&y[i] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
        for (int k = 0; k < 4; k++)
            if (i + k < n)
                y[i + k] = sum[k];
}

/* filter tile by tile, with a pipeline */
template <int SIZE>
__global__ void box_pipeline(size_t n, const float *x, float *y)
{
    __shared__ __align__(16) float s[2][SPAN];
    size_t tiles = (n + BOX - 1) / BOX, tile = blockIdx.x;
    int now = 0;

    if (tile < tiles)
        start_tile<SIZE>(n, tile, x, s[0]);
    async_commit();
    for (; tile < tiles; tile += gridDim.x, now ^= 1) {
        if (tile + gridDim.x < tiles)
            start_tile<SIZE>(n, tile + gridDim.x, x, s[now ^ 1]);
        async_commit();
        async_wait<1>(); /* this tile; the next may be on its way */
        __syncthreads();
        sum_tile<SIZE>(n, tile, s[now], y);
        __syncthreads(); /* the buffer is read before it is filled again */
    }
}

/* filter a tile a block */
__global__ void box_once(size_t n, const float *x, float *y)
{
    __shared__ float s[SPAN];

    for (int k = threadIdx.x; k < SPAN; k += BOX_THREADS) {
        size_t from = (size_t)blockIdx.x * BOX + k - RADIUS;

        s[k] = from < n ? x[from] : 0;
    }
    __syncthreads();
    sum_tile<4>(n, blockIdx.x, s, y);
}

/* filter tile by tile, and wait */
__global__ void box_loop(size_t n, const float *x, float *y)
{
    __shared__ float s[SPAN];
    size_t tiles = (n + BOX - 1) / BOX;

    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        start_tile<4>(n, tile, x, s);
        async_commit();
        async_wait<0>();
        __syncthreads();
        sum_tile<4>(n, tile, s, y);
        __syncthreads();
    }
}

/* launch the filters */
template <void (*KERNEL)(size_t, const float *, float *), int MOST>
static void launch_box(int rows, int cols, const float *x, float *y)
{
    size_t n = (size_t)rows * cols;
    int blocks = min(blocks_for(n, BOX), MOST);

    KERNEL<<<blocks, BOX_THREADS>>>(n, x, y);
}

static const struct move boxes[] = {
    {"box_once", launch_box<box_once, INT_MAX>, BOXED},
    {"box_async", launch_box<box_loop, INT_MAX>, BOXED},
    {"box_loop", launch_box<box_loop, BOX_BLOCKS>, BOXED},
    {"box_pipeline", launch_box<box_pipeline<4>, BOX_BLOCKS>, BOXED},
    {"box_vectors", launch_box<box_pipeline<16>, BOX_BLOCKS>, BOXED},
};

enum { BOXES = sizeof boxes / sizeof *boxes };
#endif

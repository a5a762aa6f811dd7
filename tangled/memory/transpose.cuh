/* transpose.cuh: rows for columns, from naive to as fast as a copy. */
#ifndef MEMORY_TRANSPOSE_CUH
#define MEMORY_TRANSPOSE_CUH

#include "memory/move.cuh"

/* transpose an element a thread */
/* Lanes along a row of x: reads are coalesced, writes are not. */
__global__ void transpose_write(int rows, int cols, const float *x, float *y)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;

    if (r < rows && c < cols)
        y[(size_t)c * rows + r] = x[(size_t)r * cols + c];
}

/* Lanes along a row of y: writes are coalesced, reads are not. */
__global__ void transpose_read(int rows, int cols, const float *x, float *y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    int c = blockIdx.y * blockDim.y + threadIdx.y;

    if (r < rows && c < cols)
        y[(size_t)c * rows + r] = x[(size_t)r * cols + c];
}

/* transpose through a tile */
enum { TILE = 32, TILE_ROWS = 8 };

/* WIDTH: floats from one row of the tile to the next. FLIP: swizzle. */
template <int WIDTH, int FLIP>
__global__ void transpose_tile(int rows, int cols, const float *x, float *y)
{
    __shared__ float tile[TILE * WIDTH];
    int c0 = blockIdx.x * TILE, r0 = blockIdx.y * TILE;
    int lane = threadIdx.x, first = threadIdx.y;
    float v[TILE / TILE_ROWS];

#pragma unroll
    for (int k = 0; k < TILE; k += TILE_ROWS)
        if (r0 + first + k < rows && c0 + lane < cols)
            v[k / TILE_ROWS] = x[(size_t)(r0 + first + k) * cols + c0 + lane];
#pragma unroll
    for (int k = 0; k < TILE; k += TILE_ROWS)
        tile[(first + k) * WIDTH + (FLIP ? lane ^ (first + k) : lane)] =
            v[k / TILE_ROWS];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k += TILE_ROWS)
        if (c0 + first + k < cols && r0 + lane < rows)
            y[(size_t)(c0 + first + k) * rows + r0 + lane] =
                tile[lane * WIDTH + (FLIP ? (first + k) ^ lane : first + k)];
}

/* place a vector in the turned tile */
enum { WIDE = 64, GROUPS = WIDE / 4 }; /* floats a side; vectors a row */

/* The place in shared memory of rows 4g to 4g + 3 of column c. */
static __device__ inline int turned(int c, int g)
{
    return c * GROUPS + (g ^ (c / 4 % 8));
}

/* transpose with vectors */
/* rows and cols must be multiples of 4. */
template <int DOWN, int STREAM>
__global__ void __launch_bounds__(256)
    transpose_vectors(int rows, int cols, const float *x, float *y)
{
    __shared__ float4 tile[WIDE * GROUPS];
    int g = threadIdx.x / GROUPS, c = threadIdx.x % GROUPS * 4;
    float4 v[4];
    /* choose the tile of this block */
    int down = (rows + WIDE - 1) / WIDE, across = (cols + WIDE - 1) / WIDE;
    int r0 = (DOWN ? blockIdx.x % down : blockIdx.x / across) * WIDE;
    int c0 = (DOWN ? blockIdx.x / down : blockIdx.x % across) * WIDE;

    if (r0 + 4 * g < rows && c0 + c < cols) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = take<STREAM>(
                (const float4 *)&x[(size_t)(r0 + 4 * g + k) * cols + c0 + c]);
        /* store the patch transposed */
        tile[turned(c, g)] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
        tile[turned(c + 1, g)] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
        tile[turned(c + 2, g)] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
        tile[turned(c + 3, g)] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    }
    __syncthreads();
    g = threadIdx.x % GROUPS;
    c = threadIdx.x / GROUPS;
#pragma unroll
    for (int k = 0; k < 4; k++, c += 256 / GROUPS)
        if (r0 + 4 * g < rows && c0 + c < cols)
            put<STREAM>((float4 *)&y[(size_t)(c0 + c) * rows + r0 + 4 * g],
                        tile[turned(c, g)]);
}

/* count in the sliding window */
enum { TALL = 128, SHIFT = 8, ROWS = TALL + SHIFT - 1, PITCH = WIDE + 1 };

/* load rows by lines */
/* Four rows of the window from row k on, WARPS apart, columns c0 to c0 + 63. */
static __device__ inline void load_lines(int rows, int cols, int r0, int c0,
                                         int k, int apart,
                                         const float *__restrict__ x,
                                         float *tile)
{
    float v[4][3];

#pragma unroll
    for (int store = 0; store < 2; store++)
#pragma unroll
        for (int g = 0; g < 4; g++) {
            int in = k + g * apart, row = r0 - (SHIFT - 1) + in;
            size_t at = (size_t)row * cols + c0;
            int c = (int)(threadIdx.x % 32) - (int)(at % 32);

#pragma unroll
            for (int j = 0; j < 3; j++, c += 32)
                if (in < ROWS && row >= 0 && row < rows && c >= 0 && c < WIDE &&
                    c0 + c < cols) {
                    if (store)
                        tile[in * PITCH + c] = v[g][j];
                    else
                        v[g][j] = x[at + c];
                }
        }
}

/* transpose in sliding windows */
__global__ void __launch_bounds__(256)
    transpose_slide(int rows, int cols, const float *__restrict__ x,
                    float *__restrict__ y)
{
    __shared__ float tile[ROWS * PITCH];
    int down = (rows + SHIFT - 1 + TALL - 1) / TALL;
    int r0 = blockIdx.x % down * TALL, c0 = blockIdx.x / down * WIDE;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (int k = warp; k < ROWS; k += 4 * 8)
        load_lines(rows, cols, r0, c0, k, 8, x, tile);
    __syncthreads();
    for (int c = warp; c < WIDE && c0 + c < cols; c += 8) {
        size_t at = (size_t)(c0 + c) * rows + r0;
        int s = (int)(at % SHIFT);

#pragma unroll
        for (int i = lane; i < TALL; i += 32)
            if (r0 - s + i >= 0 && r0 - s + i < rows)
                y[at - s + i] = tile[(i + SHIFT - 1 - s) * PITCH + c];
    }
}

/* launch a transpose */
static dim3 tiles(int across, int down, int width, int height)
{
    return dim3((unsigned)ceil_div(across, width),
                (unsigned)ceil_div(down, height));
}

static void launch_write(int rows, int cols, const float *x, float *y)
{
    transpose_write<<<tiles(cols, rows, 32, 8), dim3(32, 8)>>>(rows, cols, x,
                                                               y);
}

static void launch_read(int rows, int cols, const float *x, float *y)
{
    transpose_read<<<tiles(rows, cols, 32, 8), dim3(32, 8)>>>(rows, cols, x, y);
}
template <int WIDTH, int FLIP>
static void launch_tile(int rows, int cols, const float *x, float *y)
{
    transpose_tile<WIDTH, FLIP>
        <<<tiles(cols, rows, TILE, TILE), dim3(TILE, TILE_ROWS)>>>(rows, cols,
                                                                   x, y);
}

static void launch_slide(int rows, int cols, const float *x, float *y)
{
    size_t down = ceil_div((size_t)rows + SHIFT - 1, TALL);

    transpose_slide<<<(unsigned)(down * ceil_div(cols, WIDE)), 256>>>(
        rows, cols, x, y);
}

template <int DOWN, int STREAM>
static void launch_vectors(int rows, int cols, const float *x, float *y)
{
    unsigned n = (unsigned)(ceil_div(rows, WIDE) * ceil_div(cols, WIDE));

    if (rows % 4 || cols % 4)
        launch_slide(rows, cols, x, y);
    else
        transpose_vectors<DOWN, STREAM><<<n, 256>>>(rows, cols, x, y);
}
/* y = the transpose of x: rows times cols floats on the device, at multiples
   of 16 bytes, row-major. */
static void transpose(int rows, int cols, const float *x, float *y)
{
    if ((size_t)rows * cols < 1 << 25)
        launch_vectors<1, 1>(rows, cols, x, y);
    else
        launch_vectors<1, 0>(rows, cols, x, y);
}

/* list the transposes */
static const struct move transposes[] = {
    {"write", launch_write, TURNED},
    {"read", launch_read, TURNED},
    {"tile", launch_tile<TILE, 0>, TURNED},
    {"padded", launch_tile<TILE + 1, 0>, TURNED},
    {"swizzled", launch_tile<TILE, 1>, TURNED},
    {"vectors", launch_vectors<0, 0>, TURNED},
    {"down", launch_vectors<1, 0>, TURNED},
    {"streamed", launch_vectors<1, 1>, TURNED},
    {"slide", launch_slide, TURNED},
    {"transpose", transpose, TURNED},
};

enum { TRANSPOSES = sizeof transposes / sizeof *transposes };
#endif

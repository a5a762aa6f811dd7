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
    return c * GROUPS + (g ^ ((c ^ (c >> 2)) & 7));
}

/* load a patch of four rows */
/* Rows r..r+3, columns c..c+3 of x, as far as they exist. */
static __device__ inline void load_patch(int rows, int cols, int r, int c,
                                         const float *x, float4 v[4])
{
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (r + k < rows && c < cols)
            v[k] = *(const float4 *)&x[(size_t)(r + k) * cols + c];
        else
            v[k] = make_float4(0, 0, 0, 0);
}

/* load four rows of a column */
static __device__ inline float element(int rows, int cols, int r, int c,
                                       const float *x)
{
    return r < rows && c < cols ? x[(size_t)r * cols + c] : 0;
}

static __device__ inline float4 load_rows(int rows, int cols, int r, int c,
                                          const float *x)
{
    return make_float4(
        element(rows, cols, r, c, x), element(rows, cols, r + 1, c, x),
        element(rows, cols, r + 2, c, x), element(rows, cols, r + 3, c, x));
}

/* fill the turned tile */
template <int VECTORS>
static __device__ inline void fill_turned(int rows, int cols, int r0, int c0,
                                          const float *x, float4 *tile)
{
    float4 v[4];

    if (VECTORS) {
        int g = threadIdx.x / GROUPS, c = threadIdx.x % GROUPS * 4;

        load_patch(rows, cols, r0 + 4 * g, c0 + c, x, v);
        /* store the patch transposed */
        tile[turned(c, g)] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
        tile[turned(c + 1, g)] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
        tile[turned(c + 2, g)] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
        tile[turned(c + 3, g)] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    } else {
        int c = threadIdx.x % WIDE, g = threadIdx.x / WIDE;

#pragma unroll
        for (int q = 0; q < 4; q++)
            v[q] = load_rows(rows, cols, r0 + 4 * (g + 4 * q), c0 + c, x);
#pragma unroll
        for (int q = 0; q < 4; q++)
            tile[turned(c, g + 4 * q)] = v[q];
    }
}

/* empty the turned tile */
template <int VECTORS>
static __device__ inline void empty_turned(int rows, int cols, int r0, int c0,
                                           const float4 *tile, float *y)
{
    if (VECTORS) {
        int g = threadIdx.x % GROUPS, c = threadIdx.x / GROUPS;

#pragma unroll
        for (int k = 0; k < 4; k++, c += 256 / GROUPS)
            if (c0 + c < cols && r0 + 4 * g < rows)
                *(float4 *)&y[(size_t)(c0 + c) * rows + r0 + 4 * g] =
                    tile[turned(c, g)];
    } else {
        int r = threadIdx.x % WIDE, c = threadIdx.x / WIDE;

#pragma unroll
        for (int k = 0; k < 16; k++, c += 256 / WIDE)
            if (c0 + c < cols && r0 + r < rows)
                y[(size_t)(c0 + c) * rows + r0 + r] =
                    ((const float *)&tile[turned(c, r / 4)])[r % 4];
    }
}

/* transpose with vectors */
template <int LOAD, int STORE, int DOWN>
__global__ void __launch_bounds__(256)
    transpose_vectors(int rows, int cols, const float *x, float *y)
{
    __shared__ float4 tile[WIDE * GROUPS];
    /* choose the tile of this block */
    int down = (rows + WIDE - 1) / WIDE, across = (cols + WIDE - 1) / WIDE;
    int r0 = (DOWN ? blockIdx.x % down : blockIdx.x / across) * WIDE;
    int c0 = (DOWN ? blockIdx.x / down : blockIdx.x % across) * WIDE;

    fill_turned<LOAD>(rows, cols, r0, c0, x, tile);
    __syncthreads();
    empty_turned<STORE>(rows, cols, r0, c0, tile, y);
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

template <int DOWN>
static void launch_vectors(int rows, int cols, const float *x, float *y)
{
    unsigned n = (unsigned)(ceil_div(rows, WIDE) * ceil_div(cols, WIDE));

    if (cols % 4 == 0 && rows % 4 == 0)
        transpose_vectors<1, 1, DOWN><<<n, 256>>>(rows, cols, x, y);
    else if (cols % 4 == 0)
        transpose_vectors<1, 0, DOWN><<<n, 256>>>(rows, cols, x, y);
    else if (rows % 4 == 0)
        transpose_vectors<0, 1, DOWN><<<n, 256>>>(rows, cols, x, y);
    else
        transpose_vectors<0, 0, DOWN><<<n, 256>>>(rows, cols, x, y);
}

/* list the transposes */
static const struct move transposes[] = {
    {"write", launch_write, TURNED},
    {"read", launch_read, TURNED},
    {"tile", launch_tile<TILE, 0>, TURNED},
    {"padded", launch_tile<TILE + 1, 0>, TURNED},
    {"swizzled", launch_tile<TILE, 1>, TURNED},
    {"vectors", launch_vectors<0>, TURNED},
    {"down", launch_vectors<1>, TURNED},
};

enum { TRANSPOSES = sizeof transposes / sizeof *transposes };
#endif

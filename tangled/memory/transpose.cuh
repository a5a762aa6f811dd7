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
/* A tile of H rows and W columns, T threads; PITCH floats from one row of it
   to the next. FLIP: swizzle, for W = 32. */
template <int H, int W, int T, int PITCH, int FLIP>
__global__ void __launch_bounds__(T)
    transpose_tile(int rows, int cols, const float *x, float *y)
{
    extern __shared__ float tile[];
    int down = (rows + H - 1) / H, r0 = blockIdx.x % down * H;
    int r = threadIdx.x / W, c = threadIdx.x % W, c0 = blockIdx.x / down * W;
    float v[H * W / T];

#pragma unroll
    for (int k = 0; k < H; k += T / W)
        v[k / (T / W)] = r0 + r + k < rows && c0 + c < cols
                             ? x[(size_t)(r0 + r + k) * cols + c0 + c]
                             : 0;
#pragma unroll
    for (int k = 0; k < H; k += T / W)
        tile[(r + k) * PITCH + (FLIP ? c ^ (r + k) : c)] = v[k / (T / W)];
    __syncthreads();
    r = threadIdx.x % H;
    c = threadIdx.x / H;
#pragma unroll
    for (int k = 0; k < W; k += T / H)
        if (r0 + r < rows && c0 + c + k < cols)
            y[(size_t)(c0 + c + k) * rows + r0 + r] =
                tile[r * PITCH + (FLIP ? (c + k) ^ r : c + k)];
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

/* launch an element a thread */
static void launch_write(int rows, int cols, const float *x, float *y)
{
    dim3 grid((unsigned)ceil_div(cols, 32), (unsigned)ceil_div(rows, 8));

    transpose_write<<<grid, dim3(32, 8)>>>(rows, cols, x, y);
}

static void launch_read(int rows, int cols, const float *x, float *y)
{
    dim3 grid((unsigned)ceil_div(rows, 32), (unsigned)ceil_div(cols, 8));

    transpose_read<<<grid, dim3(32, 8)>>>(rows, cols, x, y);
}

/* count the tiles */
static unsigned tiles(int rows, int cols, int height, int width)
{
    return (unsigned)(ceil_div(rows, height) * ceil_div(cols, width));
}

/* launch tiles and vectors */
template <int H, int W, int T, int PITCH, int FLIP>
static void launch_tile(int rows, int cols, const float *x, float *y)
{
    int bytes = H * PITCH * (int)sizeof *x;
    auto kernel = transpose_tile<H, W, T, PITCH, FLIP>;

    if (!shared_allowed(kernel, bytes))
        launch_tile<32, 32, 256, 33, 0>(rows, cols, x, y);
    else
        kernel<<<tiles(rows, cols, H, W), T, bytes>>>(rows, cols, x, y);
}

template <int DOWN, int STREAM>
static void launch_vectors(int rows, int cols, const float *x, float *y)
{
    if (rows % 4 == 0 && cols % 4 == 0)
        transpose_vectors<DOWN, STREAM>
            <<<tiles(rows, cols, WIDE, WIDE), 256>>>(rows, cols, x, y);
    else if (tiles(rows, cols, 256, WIDE) < 1024)
        launch_tile<32, 32, 256, 33, 0>(rows, cols, x, y);
    else
        launch_tile<256, WIDE, 512, WIDE + 1, 0>(rows, cols, x, y);
}

/* choose a transpose by its size */
/* y = the transpose of x: rows times cols floats on the device, at multiples
   of 16 bytes, row-major. */
static void transpose(int rows, int cols, const float *x, float *y)
{
    if ((size_t)rows * cols < 1 << 25)
        launch_vectors<1, STREAM_BOTH>(rows, cols, x, y);
    else
        launch_vectors<1, 0>(rows, cols, x, y);
}

/* list the transposes */
static const struct move transposes[] = {
    {"write", launch_write, TURNED},
    {"read", launch_read, TURNED},
    {"tile", launch_tile<32, 32, 256, 32, 0>, TURNED},
    {"padded", launch_tile<32, 32, 256, 33, 0>, TURNED},
    {"swizzled", launch_tile<32, 32, 256, 32, 1>, TURNED},
    {"tall", launch_tile<256, WIDE, 512, WIDE + 1, 0>, TURNED},
    {"vectors", launch_vectors<0, 0>, TURNED},
    {"down", launch_vectors<1, 0>, TURNED},
    {"streamed", launch_vectors<1, STREAM_BOTH>, TURNED},
    {"transpose", transpose, TURNED},
};

enum { TRANSPOSES = sizeof transposes / sizeof *transposes };
#endif

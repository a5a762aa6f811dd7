/* turn.cuh: many small matrices transposed in one launch; NCHW to NHWC and
   back. */
#ifndef CUDNN_TURN_CUH
#define CUDNN_TURN_CUH

#include <stdint.h>

#include "kernels/launch.h"

/* exchange two indices */
template <class T, int V>
struct alignas(sizeof(T) * V) turn_word {
    T part[V];
};

/* to[b][j][i] = from[b][i][j] for i < rows, j < cols; V divides both. */
template <class T, int V>
__global__ void turn_tiles(int rows, int cols, const T *from, T *to)
{
    enum { SIDE = 32 * V };
    __shared__ T tile[SIDE][SIDE + V];
    int down = (rows + SIDE - 1) / SIDE, x = threadIdx.x * V;
    int i0 = blockIdx.x % down * SIDE, j0 = blockIdx.x / down * SIDE;
    typedef struct turn_word<T, V> word;
    word move;

    from += (size_t)blockIdx.y * rows * cols;
    to += (size_t)blockIdx.y * rows * cols;
    for (int y = threadIdx.y; y < SIDE && i0 + y < rows; y += blockDim.y)
        if (j0 + x < cols) {
            move = *(const word *)(from + (size_t)(i0 + y) * cols + j0 + x);
            for (int e = 0; e < V; e++)
                tile[y][x + e] = move.part[e];
        }
    __syncthreads();
    for (int y = threadIdx.y; y < SIDE && j0 + y < cols; y += blockDim.y)
        if (i0 + x < rows) {
            for (int e = 0; e < V; e++)
                move.part[e] = tile[x + e][y];
            *(word *)(to + (size_t)(j0 + y) * rows + i0 + x) = move;
        }
}

/* launch the exchange */
template <class T, int V>
static inline void launch_turn_tiles(int count, int rows, int cols,
                                     const void *from, void *to,
                                     cudaStream_t stream)
{
    int side = 32 * V, down = (rows + side - 1) / side;
    dim3 grid(down * ((cols + side - 1) / side), count), block(32, 8);

    turn_tiles<T, V>
        <<<grid, block, 0, stream>>>(rows, cols, (const T *)from, (T *)to);
    CUDA_LAUNCH_CHECK();
}

/* Turns `count` matrices, at most 65535, of rows x cols elements of `size` bytes,
   2 or 4. Both arrays begin at a multiple of 4 bytes. */
static inline void launch_turn(int size, int count, int rows, int cols,
                               const void *from, void *to, cudaStream_t stream)
{
    if (count == 0)
        return;
    if (size == 4)
        launch_turn_tiles<uint32_t, 1>(count, rows, cols, from, to, stream);
    else if (rows % 2 == 0 && cols % 2 == 0)
        launch_turn_tiles<uint16_t, 2>(count, rows, cols, from, to, stream);
    else
        launch_turn_tiles<uint16_t, 1>(count, rows, cols, from, to, stream);
}

#endif

/* linear.cuh: y = x w^T + bias and its gradients, by matmul/matmul.cuh. */
#ifndef LAYERS_LINEAR_CUH
#define LAYERS_LINEAR_CUH

#include "matmul/matmul.cuh"
#include "simt/warp.cuh"

/* write the bias into every row */
__global__ void linear_bias(size_t n, int out, const float *bias, float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = bias[i % (unsigned)out];
}

/* add up the columns */
/* sum[j] = the sum of column j of dy, rows x cols; a block of WARP x WARP
   threads does WARP columns, in the same order every time. */
__global__ void linear_columns(int rows, int cols, const float *dy, float *sum)
{
    __shared__ float part[WARP][WARP + 1];
    int j = blockIdx.x * WARP + threadIdx.x;
    float mine = 0;

    for (int i = threadIdx.y; i < rows; i += WARP)
        if (j < cols)
            mine += dy[(size_t)i * cols + j];
    part[threadIdx.y][threadIdx.x] = mine;
    __syncthreads();
    mine = warp_sum(part[threadIdx.x][threadIdx.y]);
    j = blockIdx.x * WARP + threadIdx.y;
    if (threadIdx.x == 0 && j < cols)
        sum[j] = mine;
}

/* launch a linear layer */
/* Queue on the stream what linear_forward and linear_backward compute; all
   arrays are on the device, dx may be NULL. */
static inline void linear_forward_run(int batch, int in, int out,
                                      const float *x, const float *w,
                                      const float *bias, float *y,
                                      cudaStream_t stream)
{
    size_t n = (size_t)batch * out;

    if (n == 0)
        return;
    linear_bias<<<blocks_for(n, 256), 256, 0, stream>>>(n, out, bias, y);
    CUDA_LAUNCH_CHECK();
    matmul_tiled('N', 'T', batch, out, in, 1, x, in, w, in, 1, y, out, stream);
}
static inline void linear_backward_run(int batch, int in, int out,
                                       const float *x, const float *w,
                                       const float *dy, float *dx, float *dw,
                                       float *dbias, cudaStream_t stream)
{
    dim3 threads(WARP, WARP);

    if (dx)
        matmul_tiled('N', 'N', batch, in, out, 1, dy, out, w, in, 0, dx, in,
                     stream);
    matmul_tiled('T', 'N', out, in, batch, 1, dy, out, x, in, 0, dw, in,
                 stream);
    if (out > 0)
        linear_columns<<<(out + WARP - 1) / WARP, threads, 0, stream>>>(
            batch, out, dy, dbias);
    CUDA_LAUNCH_CHECK();
}

#endif

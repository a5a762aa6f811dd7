/* bias_tanh.cuh: y = tanh(x + b) and back. The same bits every time. */
#ifndef GRAD_BIAS_TANH_CUH
#define GRAD_BIAS_TANH_CUH

#include "kernels/launch.h"

/* go forward on the device */
/* y[i][j] = tanh(x[i][j] + b[j]): size = rows times c. */
__global__ void bias_tanh_flat(size_t size, int c, const float *x,
                               const float *b, float *y)
{
    size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (k < size)
        y[k] = tanhf(x[k] + b[k % (unsigned)c]);
}

/* go back on the device */
enum { BT_SIDE = 32 };

/* dx[i][j] = dy[i][j] (1 - y[i][j]^2), db[j] = the sum of column j of dx; n
   rows of c columns, blocks of BT_SIDE x BT_SIDE threads. */
__global__ void bias_tanh_backward(int n, int c, const float *__restrict__ y,
                                   const float *__restrict__ dy,
                                   float *__restrict__ dx, float *db)
{
    __shared__ float sums[BT_SIDE][BT_SIDE];
    int j = blockIdx.x * BT_SIDE + threadIdx.x;
    float sum = 0;

#pragma unroll 4
    for (int i = threadIdx.y; i < (j < c ? n : 0); i += BT_SIDE) {
        size_t k = (size_t)i * c + j;
        float d = dy[k] * (1 - y[k] * y[k]);

        dx[k] = d;
        sum += d;
    }
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || j >= c)
        return;
    for (int r = 1; r < BT_SIDE; r++)
        sum += sums[r][threadIdx.x];
    db[j] = sum;
}

/* launch both ways */
static inline void bias_tanh_flat_run(int n, int c, const float *x,
                                      const float *b, float *y)
{
    size_t size = (size_t)n * c;

    if (size > 0)
        bias_tanh_flat<<<blocks_for(size, 256), 256>>>(size, c, x, b, y);
    CUDA_LAUNCH_CHECK();
}

static inline void bias_tanh_backward_run(int n, int c, const float *y,
                                          const float *dy, float *dx, float *db)
{
    int blocks = (c + BT_SIDE - 1) / BT_SIDE;

    if (c > 0)
        bias_tanh_backward<<<blocks, dim3(BT_SIDE, BT_SIDE)>>>(n, c, y, dy, dx,
                                                               db);
    CUDA_LAUNCH_CHECK();
}

/* go forward down the columns */

/* take several rows in a thread */
/* y[i][j] = tanh(x[i][j] + b[j]), n rows, at most 2^30, of c columns. */
__global__ void bias_tanh_forward(int n, int c, const float *__restrict__ x,
                                  const float *__restrict__ b,
                                  float *__restrict__ y)
{
    int j = blockIdx.x * BT_SIDE + threadIdx.x;
    float bias = j < c ? b[j] : 0;

#pragma unroll 4
    for (int i = blockIdx.y * blockDim.y + threadIdx.y; i < (j < c ? n : 0);
         i += gridDim.y * blockDim.y) {
        size_t k = (size_t)i * c + j;

        y[k] = tanhf(x[k] + bias);
    }
}

/* A thread takes `each` rows, more if the grid would be too high. */
static inline void bias_tanh_forward_run(int n, int c, const float *x,
                                         const float *b, float *y, int each)
{
    size_t blocks = ceil_div((size_t)c, BT_SIDE);
    size_t rows = ceil_div((size_t)n, (size_t)(8 * each));
    dim3 grid((unsigned)blocks, (unsigned)(rows < 65535 ? rows : 65535));

    if (n > 0 && c > 0)
        bias_tanh_forward<<<grid, dim3(BT_SIDE, 8)>>>(n, c, x, b, y);
    CUDA_LAUNCH_CHECK();
}

#endif

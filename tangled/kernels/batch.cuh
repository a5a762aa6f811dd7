/* batch.cuh: add a bias to each row of a batch, with two layouts of the grid.
   in, out: batch x length, row-major, on the device; bias: length. */
#ifndef KERNELS_BATCH_CUH
#define KERNELS_BATCH_CUH

#include "kernels/launch.h"

/* add a bias with a block for each row */
__global__ void bias_by_row(int length, const float *in, const float *bias,
                            float *out)
{
    size_t row = (size_t)blockIdx.x * length;

    for (int j = threadIdx.x; j < length; j += blockDim.x)
        out[row + j] = in[row + j] + bias[j];
}

/* add a bias with a block for each tile */
__global__ void bias_by_tile(int batch, int length, const float *in,
                             const float *bias, float *out)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned first = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned step = gridDim.y * blockDim.y;

    if (j < length)
        for (unsigned r = first; r < (unsigned)batch; r += step) {
            size_t k = (size_t)r * length + j;

            out[k] = in[k] + bias[j];
        }
}

/* launch the two layouts */
typedef void (*bias_launcher)(int batch, int length, const float *in,
                              const float *bias, float *out);

static void launch_by_row(int batch, int length, const float *in,
                          const float *bias, float *out)
{
    bias_by_row<<<batch, 256>>>(length, in, bias, out);
    CUDA_LAUNCH_CHECK();
}

static void launch_by_tile(int batch, int length, const float *in,
                           const float *bias, float *out)
{
    size_t down = ceil_div((size_t)batch, 8);
    dim3 block(32, 8);
    dim3 grid((unsigned)ceil_div((size_t)length, 32),
              (unsigned)(down > 65535 ? 65535 : down));

    bias_by_tile<<<grid, block>>>(batch, length, in, bias, out);
    CUDA_LAUNCH_CHECK();
}

/* How many of `sms` multiprocessors get no block when there are `blocks`. */
static inline int idle_sms(size_t blocks, int sms)
{
    return blocks < (size_t)sms ? sms - (int)blocks : 0;
}

#endif

/* finish.cuh: the last sums, and the step of all weights but fc1's. */
#ifndef RACE_FINISH_CUH
#define RACE_FINISH_CUH

#include "race/backward.cuh"

enum {
    FINISH_THREADS = 256,
    FINISH_BLOCKS = FILTERS / 128 + HEAD_SUMS / 128 + CH1 / 8 + 1
};

/* step a filter in all its forms */
/* A filter's new weight, in all its forms; at: [tap][co][ci]. */
static __device__ inline void step_filter(const struct fused &f, int at,
                                          float rate, float gradient)
{
    int ci = at % CH1, co = at / CH1 % CH2, tap = at / (CH1 * CH2);
    float *w = &f.conv2[(co * CH1 + ci) * 9 + tap], v = *w - rate * gradient;
    int column = co / 2 % 8 * 8 + co / 16 * 2 + co % 2;

    *w = v;
    f.filters[(tap * CH2 + column) * CH1 + ci] = __float2bfloat16(v);
    f.turned[(tap * CH1 + ci) * CH2 + co] = __float2bfloat16(v);
}

/* add up rows of 128 */
/* The sum of column threadIdx.x of some rows of 128 floats that lie `stride` apart,
   for the first 128 of 256 threads: eight warps share the rows. part: room for
   8 * 128. */
static __device__ inline float add_rows_of_128(int rows, size_t stride,
                                               const float *from, float *part)
{
    int c = threadIdx.x % 32 * 4, first = threadIdx.x / 32;
    float s[4] = {}, all = 0;

#pragma unroll 8
    for (int r = first; r < rows; r += 8) {
        float4 v = *(const float4 *)(from + r * stride + c);

        s[0] += v.x;
        s[1] += v.y;
        s[2] += v.z;
        s[3] += v.w;
    }
    for (int e = 0; e < 4; e++)
        part[first * 128 + c + e] = s[e];
    __syncthreads();
    for (int r = 0; threadIdx.x < 128 && r < 8; r++)
        all += part[r * 128 + threadIdx.x];
    return all;
}

/* finish the head */
/* 128 numbers of the head; who has the loss goes on to the next batch. */
static __device__ inline void finish_head(const struct fused &f, int block,
                                          float *part)
{
    int e = block * 128 + threadIdx.x;
    float all =
        add_rows_of_128(f.grid3, HEAD_SUMS, f.head_sums + block * 128, part);
    float step = f.args->rate * all;

    if (threadIdx.x >= 128)
        return;
    if (e < KINDS * HIDDEN)
        f.fc2[e] -= step;
    else if (e < KINDS * HIDDEN + HIDDEN)
        f.fc1_bias[e - KINDS * HIDDEN] -= step;
    else if (e < KINDS * HIDDEN + HIDDEN + KINDS)
        f.fc2_bias[e - KINDS * HIDDEN - HIDDEN] -= step;
    else if (e == KINDS * HIDDEN + HIDDEN + KINDS) {
        f.args->loss[f.args->slot] = all / f.n;
        f.args->slot = (f.args->slot + 1) % FUSED_SLOTS;
        f.args->first += f.n;
    }
}

/* finish scale and bias of block 2 */
/* Scale and bias of block 2: the sums are there already. */
static __device__ inline void finish_scale2(const struct fused &f)
{
    int me = threadIdx.x;

    if (me < CH2) {
        double dy = from_units(f.dy_sums[me], DY_UNIT);
        double dyz = from_units(f.dy_sums[CH2 + me], DY_UNIT);

        f.bn2[me] -= f.args->rate * (float)(dyz * f.coef2[CH2 + me]);
        f.bn2[CH2 + me] -= f.args->rate * (float)dy;
    }
}

/* finish block 1 */
/* Eight channels of block 1: dz1 is dense, but its sums follow from those over the
   winners and from the moments of the patches. */
static __device__ inline void finish_block1(const struct fused &f, int block,
                                            float *part)
{
    float all =
        add_rows_of_128(f.grid5, CH1 * 16, f.patch_sums + block * 128, part);
    int me = threadIdx.x, c = block * 8 + me;

    __syncthreads();
    if (me < 128)
        part[me] = all;
    __syncthreads();
    if (me < 8) {
        double count = (double)f.n * INK, dy = part[me * 16 + 9], dyz = 0;
        double mean = f.coef1[c], r = f.coef1[CH1 + c], w[9], d[9];
        double scale = f.bn1[c], rate = f.args->rate;

        for (int t = 0; t < 9; t++) {
            w[t] = rounded(f.conv1[c * 9 + t]);
            d[t] = part[me * 16 + t] / 255.0;
            dyz += w[t] * d[t]; /* sum of dy z */
        }
        dyz = (dyz - mean * dy) * r; /* of dy times normalized z */
        for (int t = 0; t < 9; t++) {
            double x = (double)f.kept[t] / 255, zx = 0;

            for (int u = 0; u < 9; u++)
                zx += w[u] *
                      (double)f.kept[moment_at(t < u ? t : u, t < u ? u : t)];
            zx = (zx / (255.0 * 255.0) - mean * x) * r;
            d[t] = scale * r * (d[t] - dy / count * x - dyz / count * zx);
        }
        for (int t = 0; t < 9; t++)
            f.conv1[c * 9 + t] -= (float)(rate * d[t]);
        f.bn1[c] -= (float)(rate * dyz);
        f.bn1[CH1 + c] -= (float)(rate * dy);
    }
}

/* finish the step */
__global__ void __launch_bounds__(FINISH_THREADS)
    finish_step(const __grid_constant__ struct fused f)
{
    __shared__ float part[8 * 128];
    int block = (int)blockIdx.x;

    ptx_grid_wait();
    if (block < FILTERS / 128) {
        float all = add_rows_of_128(f.grid5, FILTERS,
                                    f.filter_sums + block * 128, part);

        if (threadIdx.x < 128)
            step_filter(f, block * 128 + threadIdx.x, f.args->rate, all);
    } else if ((block -= FILTERS / 128) < HEAD_SUMS / 128)
        finish_head(f, block, part);
    else if ((block -= HEAD_SUMS / 128) < CH1 / 8)
        finish_block1(f, block, part);
    else
        finish_scale2(f);
}

/* make all forms of the weights anew */
/* All forms of the weights anew, from the fp32 ones. */
__global__ void __launch_bounds__(256)
    refresh(const __grid_constant__ struct fused f)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;

    if (e < CELLS * HIDDEN * CH2)
        f.fc1_half[e] = __float2bfloat16(f.fc1[e]);
    if (e < FILTERS)
        step_filter(f, e, 0, 0);
}

__global__ void put_args(struct fused_args *to, struct fused_args args)
{
    *to = args;
}

#endif

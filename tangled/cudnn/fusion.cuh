/* fusion.cuh: this chapter's own kernels: sigmoid(a + b c) in three launches
   and in one; convolution, batch norm, ReLU and pooling in one; and the input
   gradient of a layer with one channel. */
#ifndef CUDNN_FUSION_CUH
#define CUDNN_FUSION_CUH

#include <cuda_bf16.h>
#include <math.h>

#include "conv/size.h"
#include "kernels/launch.h"

/* compute each step by a kernel of its own */
static __global__ void multiply_each(size_t n, const float *b, const float *c,
                                     float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = b[i] * c[i];
}

static __global__ void add_each(size_t n, const float *a, const float *b,
                                float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = a[i] + b[i];
}

static __global__ void sigmoid_each(size_t n, const float *x, float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = 1 / (1 + expf(-x[i]));
}

/* compute all steps in one kernel */
static __device__ inline float gate(float a, float b, float c)
{
    return 1 / (1 + expf(-(a + b * c)));
}

/* Four numbers for each thread, and the rest one by one; the arrays begin at a
   multiple of 16 bytes. */
static __global__ void gate_each(size_t n, const float *a, const float *b,
                                 const float *c, float *y)
{
    size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 4;

    if (i + 4 <= n) {
        float4 p = *(const float4 *)(a + i), q = *(const float4 *)(b + i);
        float4 r = *(const float4 *)(c + i);

        p = make_float4(gate(p.x, q.x, r.x), gate(p.y, q.y, r.y),
                        gate(p.z, q.z, r.z), gate(p.w, q.w, r.w));
        *(float4 *)(y + i) = p;
    } else {
        for (; i < n; i++)
            y[i] = gate(a[i], b[i], c[i]);
    }
}

/* launch either way */
/* y = sigmoid(a + b c) for n numbers. `between` has room for n; y may be it. */
static inline void gate_separate(size_t n, const float *a, const float *b,
                                 const float *c, float *between, float *y,
                                 cudaStream_t stream)
{
    unsigned blocks = (unsigned)blocks_for(n, 256);

    if (n == 0)
        return;
    multiply_each<<<blocks, 256, 0, stream>>>(n, b, c, between);
    add_each<<<blocks, 256, 0, stream>>>(n, a, between, between);
    sigmoid_each<<<blocks, 256, 0, stream>>>(n, between, y);
    CUDA_LAUNCH_CHECK();
}

static inline void gate_fused(size_t n, const float *a, const float *b,
                              const float *c, float *y, cudaStream_t stream)
{
    if (n == 0)
        return;
    gate_each<<<(unsigned)blocks_for(n, 1024), 256, 0, stream>>>(n, a, b, c, y);
    CUDA_LAUNCH_CHECK();
}

/* normalize and cut off one result */
/* A channel's batch norm in inference: gamma / sqrt(v + eps) and what is left
   to add, both computed once. */
struct affine {
    float scale, shift;
};

static inline struct affine affine_of(float gamma, float beta, float mean,
                                      float var, float eps)
{
    float scale = gamma / sqrtf(var + eps);
    struct affine a = {scale, beta - mean * scale};

    return a;
}

/* The larger; a NaN wins. */
static __device__ inline float larger(float a, float b)
{
    return a > b || a != a ? a : b;
}

/* convolve, normalize, cut off and pool in one kernel */
/* One thread for each pooled element: four sums, each normalized and cut off;
   then the largest. x is [n][c][h][w], w [k][c][r][s], y [n][k][P/2][Q/2]. */
static __global__ void conv_norm_relu_pool(struct conv v, int p, int q,
                                           const float *x, const float *w,
                                           const struct affine *norm, float *y)
{
    int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int col = (int)(at % (q / 2)), row = (int)(at / (q / 2) % (p / 2));
    int k = (int)(at / (q / 2) / (p / 2) % v.k);
    int image = (int)(at / (q / 2) / (p / 2) / v.k);
    float most = 0; /* no result is less: ReLU comes first */

    if (image >= v.n)
        return;
    for (int e = 0; e < 4; e++) {
        int i = 2 * row + e / 2, j = 2 * col + e % 2;
        float sum = 0;

        /* convolve one place */
        for (int c = 0; c < v.c; c++)
            for (int a = 0; a < v.r * v.s; a++) {
                int from = i * v.stride - v.pad + a / v.s * v.dilation;
                int at_col = j * v.stride - v.pad + a % v.s * v.dilation;

                if (from >= 0 && from < v.h && at_col >= 0 && at_col < v.w)
                    sum += x[conv_row(v.c, v.h, v.w, image, c, from) + at_col] *
                           w[(k * (int64_t)v.c + c) * v.r * v.s + a];
            }
        most = larger(most, norm[k].scale * sum + norm[k].shift);
    }
    y[at] = most;
}

/* launch the fused layer */
/* Stops for sizes that conv_check refuses. norm has v->k numbers. A last odd row
   or column of the convolution has no part in the result. */
static inline void launch_fused_layer(const struct conv *v, const float *x,
                                      const float *w, const struct affine *norm,
                                      float *y, cudaStream_t stream)
{
    int p, q;
    int64_t count;

    conv_check(v);
    p = conv_out_h(v);
    q = conv_out_w(v);
    count = (int64_t)v->n * v->k * (p / 2) * (q / 2);
    if (count == 0)
        return;
    conv_norm_relu_pool<<<(unsigned)blocks_for((size_t)count, 128), 128, 0,
                          stream>>>(*v, p, q, x, w, norm, y);
    CUDA_LAUNCH_CHECK();
}

/* add up the gradient of one channel */
/* dx of a layer with one channel, 3 x 3 filters, stride and padding 1: eight
   threads for each four columns, of which thread g has filters g, g + 8 and so
   on. dy is in planes or has its channels side by side. */
static __global__ void one_channel_gradient(struct conv v, bool planes,
                                            const __nv_bfloat16 *dy,
                                            const __nv_bfloat16 *w,
                                            __nv_bfloat16 *dx)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x, g = at % 8;
    int wide = (v.w + 3) / 4, col = at / 8 % wide * 4;
    int row = at / 8 / wide % v.h, image = at / 8 / wide / v.h;
    float sum[4] = {0, 0, 0, 0};

    if (image >= v.n)
        return; /* all eight */
    dy += (int64_t)image * v.k * v.h * v.w;
    dx += ((int64_t)image * v.h + row) * v.w + col;
    for (int k = g; k < v.k; k += 8)
#pragma unroll
        for (int r = 0; r < 3; r++) {
            /* add what one row gives to four columns */
            int y = row + 1 - r, next = planes ? 1 : v.k; /* column */
            int from = (planes ? k * v.h * v.w : k) + y * v.w * next;

            for (int e = 0; e < 6; e++) {
                int x = col - 1 + e;
                bool in = y >= 0 && y < v.h && x >= 0 && x < v.w;
                float d = in ? __bfloat162float(dy[from + x * next]) : 0;

                for (int s = 0; s < 3; s++) {
                    int to = e + s - 2; /* of the four */

                    if (to >= 0 && to < 4)
                        sum[to] += d * __bfloat162float(w[k * 9 + r * 3 + s]);
                }
            }
        }
    for (int e = 0; e < 4; e++) {
        for (int lane = 1; lane < 8; lane *= 2)
            sum[e] +=
                __shfl_xor_sync(0xffu << (threadIdx.x & 24), sum[e], lane);
        if (g == e && col + e < v.w)
            dx[e] = __float2bfloat16(sum[e]);
    }
}

/* launch the gradient of one channel */
/* Stops for layers that the kernel is not for. */
static inline void
launch_one_channel_gradient(const struct conv *v, bool planes,
                            const __nv_bfloat16 *dy, const __nv_bfloat16 *w,
                            __nv_bfloat16 *dx, cudaStream_t stream)
{
    int64_t threads = 8 * (int64_t)v->n * v->h * ((v->w + 3) / 4);

    conv_check(v);
    CHECK(v->c == 1 && v->r == 3 && v->s == 3 && v->stride == 1 &&
              v->pad == 1 && v->dilation == 1 && threads <= CONV_MOST,
          "not a layer of one channel, 3 x 3 and padding 1");
    if (threads == 0)
        return;
    one_channel_gradient<<<(unsigned)blocks_for((size_t)threads, 128), 128, 0,
                           stream>>>(*v, planes, dy, w, dx);
    CUDA_LAUNCH_CHECK();
}

#endif

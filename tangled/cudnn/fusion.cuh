/* fusion.cuh: this chapter's own kernels: sigmoid(a + b c) in three launches
   and in one, and convolution, batch norm, ReLU and pooling in one. */
#ifndef CUDNN_FUSION_CUH
#define CUDNN_FUSION_CUH

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

#endif

/* softmax.cuh: softmax of the rows of a matrix, in three, two and one pass. */
#ifndef REDUCE_SOFTMAX_CUH
#define REDUCE_SOFTMAX_CUH

#include "kernels/launch.h"
#include "reduce/block.cuh"
#include "reduce/bound.h"

/* softmax in three passes */
/* y = softmax of each row of x, rows x cols, row-major; a block a row. */
__global__ void softmax_three(int cols, const float *x, float *y)
{
    size_t row = (size_t)blockIdx.x * cols;
    float most = -INFINITY, sum = 0;

    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        most = fmaxf(most, x[row + c]);
    most = block_max(most);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        sum += expf(x[row + c] - most);
    sum = block_sum(sum);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        y[row + c] = expf(x[row + c] - most) / sum;
}

/* join two partial softmaxes */
/* The largest of some numbers, and the sum of exp(x - largest) over them. */
struct soft {
    float most, sum;
};

static __device__ inline struct soft soft_join(struct soft a, struct soft b)
{
    struct soft r = {fmaxf(a.most, b.most), 0};

    if (a.sum > 0)
        r.sum += a.sum * expf(a.most - r.most);
    if (b.sum > 0)
        r.sum += b.sum * expf(b.most - r.most);
    return r;
}

/* join over a block */
static __device__ inline struct soft soft_warp(struct soft a)
{
    for (int far = WARP / 2; far > 0; far /= 2) {
        struct soft b;

        b.most = __shfl_xor_sync(WARP_ALL, a.most, far);
        b.sum = __shfl_xor_sync(WARP_ALL, a.sum, far);
        a = soft_join(a, b);
    }
    return a;
}

static __device__ inline struct soft soft_block(struct soft a)
{
    __shared__ struct soft part[WARP];
    struct soft none = {-INFINITY, 0};

    a = soft_warp(a);
    __syncthreads();
    if (my_lane() == 0)
        part[my_warp()] = a;
    __syncthreads();
    return soft_warp(my_lane() < (int)blockDim.x / WARP ? part[my_lane()]
                                                        : none);
}

/* softmax in two passes */
__global__ void softmax_online(int cols, const float *x, float *y)
{
    size_t row = (size_t)blockIdx.x * cols;
    struct soft a = {-INFINITY, 0};

    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        struct soft one = {x[row + c], 1};

        a = soft_join(a, one);
    }
    a = soft_block(a);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        y[row + c] = expf(x[row + c] - a.most) / a.sum;
}

/* softmax in two passes, four elements at a time */
/* As softmax_online, but the sum is rescaled once for four elements at most. */
__global__ void softmax_four(int cols, const float *x, float *y)
{
    size_t row = (size_t)blockIdx.x * cols;
    struct soft a = {-INFINITY, 0};

    for (int c = threadIdx.x; c < cols; c += 4 * blockDim.x) {
        float v[4], most = a.most;

#pragma unroll
        for (int k = 0; k < 4; k++) {
            int at = c + k * blockDim.x;

            v[k] = at < cols ? x[row + at] : -INFINITY;
            most = fmaxf(most, v[k]);
        }
        if (most > a.most)
            a.sum *= expf(a.most - most);
        a.most = most;
#pragma unroll
        for (int k = 0; k < 4; k++)
            a.sum += expf(v[k] - most);
    }
    a = soft_block(a);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        y[row + c] = expf(x[row + c] - a.most) / a.sum;
}

/* softmax in one pass */
enum { SOFT_ITEMS = 16 };

/* For cols <= SOFT_ITEMS * blockDim.x: the row is held in registers. */
__global__ void softmax_held(int cols, const float *x, float *y)
{
    size_t row = (size_t)blockIdx.x * cols;
    float v[SOFT_ITEMS], most = -INFINITY, sum = 0;

#pragma unroll
    for (int k = 0; k < SOFT_ITEMS; k++) {
        int c = k * blockDim.x + threadIdx.x;

        v[k] = c < cols ? x[row + c] : -INFINITY;
        most = fmaxf(most, v[k]);
    }
    most = block_max(most);
#pragma unroll
    for (int k = 0; k < SOFT_ITEMS; k++)
        sum += v[k] = expf(v[k] - most);
    sum = block_sum(sum);
#pragma unroll
    for (int k = 0; k < SOFT_ITEMS; k++) {
        int c = k * blockDim.x + threadIdx.x;

        if (c < cols)
            y[row + c] = v[k] / sum;
    }
}

/* launch a softmax */
enum soft_how { SOFT_THREE, SOFT_ONLINE, SOFT_FOUR, SOFT_HELD, SOFTS };

static const char *const soft_names[] = {"three", "online", "four", "held"};

/* Queues y = softmax of the rows of x, on the device. SOFT_HELD takes at most
   SOFT_ITEMS * 1024 columns. */
static inline void softmax_run(enum soft_how how, int rows, int cols,
                               const float *x, float *y)
{
    int each = how == SOFT_HELD ? SOFT_ITEMS : 4;
    int threads = (int)ceil_div((size_t)cols, (size_t)each * WARP) * WARP;

    if (rows == 0 || cols == 0)
        return;
    CHECK(how != SOFT_HELD || cols <= SOFT_ITEMS * 1024, "%d columns", cols);
    if (threads > (how == SOFT_HELD ? 1024 : 256))
        threads = how == SOFT_HELD ? 1024 : 256;
    if (how == SOFT_THREE)
        softmax_three<<<rows, threads>>>(cols, x, y);
    else if (how == SOFT_ONLINE)
        softmax_online<<<rows, threads>>>(cols, x, y);
    else if (how == SOFT_FOUR)
        softmax_four<<<rows, threads>>>(cols, x, y);
    else
        softmax_held<<<rows, threads>>>(cols, x, y);
    CUDA_LAUNCH_CHECK();
}

#endif

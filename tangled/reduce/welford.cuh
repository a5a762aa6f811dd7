/* welford.cuh: mean and variance of rows, in one pass. Welford, 1962; Chan,
   Golub and LeVeque, 1983. */
#ifndef REDUCE_WELFORD_CUH
#define REDUCE_WELFORD_CUH

#include "kernels/launch.h"
#include "simt/warp.cuh"

/* join two groups */
/* How many, their mean, and the sum of squared distances from it. */
struct moments {
    float n, mean, spread;
};

static __device__ inline struct moments moments_join(struct moments a,
                                                     struct moments b)
{
    struct moments r = {a.n + b.n, a.mean, a.spread + b.spread};
    float delta = b.mean - a.mean, share = r.n > 0 ? b.n / r.n : 0;

    r.mean += delta * share;
    r.spread += delta * delta * (a.n * share);
    return r;
}

/* join over a warp */
static __device__ inline struct moments moments_warp(struct moments a)
{
    for (int far = WARP / 2; far > 0; far /= 2) {
        struct moments b;

        b.n = __shfl_down_sync(WARP_ALL, a.n, far);
        b.mean = __shfl_down_sync(WARP_ALL, a.mean, far);
        b.spread = __shfl_down_sync(WARP_ALL, a.spread, far);
        a = moments_join(a, b);
    }
    return a;
}

/* take the moments of rows */
/* mean[r], var[r] of row r of x, rows x cols, row-major; a block a row. */
__global__ void row_moments(int cols, const float *x, float *mean, float *var)
{
    __shared__ struct moments part[WARP];
    size_t row = (size_t)blockIdx.x * cols;
    struct moments a = {0, 0, 0}, none = {0, 0, 0};

    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        struct moments one = {1, x[row + c], 0};

        a = moments_join(a, one);
    }
    a = moments_warp(a);
    if (my_lane() == 0)
        part[my_warp()] = a;
    __syncthreads();
    if (my_warp() == 0) {
        int warps = blockDim.x / WARP;

        a = moments_warp(my_lane() < warps ? part[my_lane()] : none);
        if (my_lane() == 0) {
            mean[blockIdx.x] = a.mean;
            var[blockIdx.x] = a.spread / a.n;
        }
    }
}

/* launch the moments */
/* Queues mean[r] and var[r] (over cols, not cols - 1) of each row; cols >= 1. */
static inline void moments_run(int rows, int cols, const float *x, float *mean,
                               float *var)
{
    int threads = (int)ceil_div((size_t)cols, 8 * WARP) * WARP;

    CHECK(cols >= 1 && cols <= 1 << 24, "the moments of %d numbers", cols);
    if (threads > 256)
        threads = 256;
    if (rows > 0)
        row_moments<<<rows, threads>>>(cols, x, mean, var);
    CUDA_LAUNCH_CHECK();
}

#endif

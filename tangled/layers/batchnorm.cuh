/* batchnorm.cuh: batch norm, in training and in inference, and its gradients.
   No atomics: the same bits every time. Ioffe and Szegedy, 2015. */
#ifndef LAYERS_BATCHNORM_CUH
#define LAYERS_BATCHNORM_CUH

#include "layers/vectors.cuh"
#include "reduce/block.cuh"
#include "reduce/welford.cuh"

/* walk over the numbers of a channel */
enum { NORM_THREADS = 256 };

/* A thread's way through the vectors of channel blockIdx.y: it is at `place`
   of the plane of `image`, hv vectors in a plane; the rest is its step. */
struct norm_walk {
    int image, place, images, places;
};

static __device__ inline struct norm_walk norm_walk_from(int hv)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int step = gridDim.x * blockDim.x;
    struct norm_walk w = {first / hv, first % hv, step / hv, step % hv};

    return w;
}

static __device__ inline void norm_walk_on(struct norm_walk *w, int hv)
{
    w->image += w->images;
    w->place += w->places;
    if (w->place >= hv) {
        w->place -= hv;
        w->image++;
    }
}
static __device__ inline size_t norm_walk_at(const struct norm_walk *w,
                                             int image, int c, int hv)
{
    return ((size_t)image * c + blockIdx.y) * hv + w->place;
}

/* take the moments of a share */
template <class V>
static __device__ inline struct moments moments_of(V v)
{
    struct moments m = {floats_in<V>::COUNT, 0, 0};

    for (int k = 0; k < floats_in<V>::COUNT; k++)
        m.mean += float_at(v, k) * (1.0f / floats_in<V>::COUNT);
    for (int k = 0; k < floats_in<V>::COUNT; k++) {
        float d = float_at(v, k) - m.mean;

        m.spread += d * d;
    }
    return m;
}
template <class V>
__global__ void norm_moments(int n, int c, int hv, const V *x,
                             struct moments *share)
{
    __shared__ struct moments part[WARP];
    struct moments a = {0, 0, 0}, none = {0, 0, 0};

    for (struct norm_walk w = norm_walk_from(hv); w.image < n;
         norm_walk_on(&w, hv))
        a = moments_join(a, moments_of(x[norm_walk_at(&w, w.image, c, hv)]));
    a = moments_warp(a);
    if (my_lane() == 0)
        part[my_warp()] = a;
    __syncthreads();
    if (my_warp() == 0) {
        a = my_lane() < (int)blockDim.x / WARP ? part[my_lane()] : none;
        a = moments_warp(a);
        if (my_lane() == 0)
            share[blockIdx.y * gridDim.x + blockIdx.x] = a;
    }
}

/* join the shares */
/* Mean and variance of channel blockIdx.y, in every thread with the same bits;
   each warp joins all shares, at most WARP, for itself. */
static __device__ inline float2 norm_join(int shares,
                                          const struct moments *share)
{
    struct moments a = {0, 0, 0};

    if (my_lane() < shares)
        a = share[blockIdx.y * shares + my_lane()];
    a = moments_warp(a);
    return make_float2(warp_broadcast(a.mean, 0),
                       warp_broadcast(a.spread / a.n, 0));
}

/* normalize */
template <class V>
static __device__ inline void norm_write(int n, int c, int hv, float mean,
                                         float factor, float shift, const V *x,
                                         V *y)
{
    for (struct norm_walk w = norm_walk_from(hv); w.image < n;
         norm_walk_on(&w, hv)) {
        size_t at = norm_walk_at(&w, n - 1 - w.image, c, hv);
        V v = x[at];

        for (int k = 0; k < floats_in<V>::COUNT; k++)
            float_at(v, k) = (float_at(v, k) - mean) * factor + shift;
        y[at] = v;
    }
}
/* Training: share holds what norm_moments left, mean and var are written.
   Inference: share is NULL, mean and var are read. */
template <class V>
__global__ void norm_apply(int n, int c, int hv, float eps, const V *x,
                           const struct moments *share, const float *scale,
                           const float *shift, V *y, float *mean, float *var)
{
    int k = blockIdx.y;
    float2 m =
        share ? norm_join(gridDim.x, share) : make_float2(mean[k], var[k]);

    if (share && blockIdx.x == 0 && threadIdx.x == 0) {
        mean[k] = m.x;
        var[k] = m.y;
    }
    norm_write(n, c, hv, m.x, scale[k] / sqrtf(m.y + eps), shift[k], x, y);
}

/* add up the gradients of a share */
template <class V>
__global__ void norm_sums(int n, int c, int hv, float eps, const V *x,
                          const float *mean, const float *var, const V *dy,
                          float2 *share)
{
    float m = mean[blockIdx.y], rstd = 1 / sqrtf(var[blockIdx.y] + eps);
    float sum = 0, with = 0;

    for (struct norm_walk w = norm_walk_from(hv); w.image < n;
         norm_walk_on(&w, hv)) {
        size_t at = norm_walk_at(&w, w.image, c, hv);
        V v = x[at], d = dy[at];

        for (int k = 0; k < floats_in<V>::COUNT; k++) {
            sum += float_at(d, k);
            with += float_at(d, k) * ((float_at(v, k) - m) * rstd);
        }
    }
    sum = block_sum(sum);
    with = block_sum(with);
    if (threadIdx.x == 0)
        share[blockIdx.y * gridDim.x + blockIdx.x] = make_float2(sum, with);
}

/* send the gradient back */
template <class V>
__global__ void norm_slope(int n, int c, int hv, float eps, const V *x,
                           const float *mean, const float *var,
                           const float *scale, const V *dy, const float2 *share,
                           V *dx, float *dscale, float *dshift)
{
    int k = blockIdx.y, mine = my_lane() < (int)gridDim.x;
    float2 none = {0, 0}, part = mine ? share[k * gridDim.x + my_lane()] : none;
    float sum = warp_sum(part.x), with = warp_sum(part.y);
    float m = mean[k], rstd = 1 / sqrtf(var[k] + eps), factor = scale[k] * rstd;
    float each = 1 / ((float)n * hv * floats_in<V>::COUNT);

    if (blockIdx.x == 0 && threadIdx.x == 0) {
        dshift[k] = sum;
        dscale[k] = with;
    }
    /* write the gradient of each number */
    for (struct norm_walk w = norm_walk_from(hv); w.image < n;
         norm_walk_on(&w, hv)) {
        size_t at = norm_walk_at(&w, n - 1 - w.image, c, hv);
        V v = x[at], d = dy[at];

        for (int i = 0; i < floats_in<V>::COUNT; i++) {
            float norm = (float_at(v, i) - m) * rstd;

            float_at(d, i) =
                factor * (float_at(d, i) - (sum + norm * with) * each);
        }
        dx[at] = d;
    }
}

/* launch a batch norm */
/* Blocks for each channel: at most a warp's lanes, about 1024 in all. */
static inline dim3 norm_grid(int n, int c, int hv)
{
    size_t most = ceil_div((size_t)n * hv, NORM_THREADS), want = 1024 / c;

    CHECK(n > 0 && hv > 0 && c <= 65535, "batch norm of %d x %d planes", n, c);
    if (want > WARP)
        want = WARP;
    if (want > most)
        want = most;
    return dim3(want < 1 ? 1 : (unsigned)want, (unsigned)c);
}

/* Bytes of space that forward and backward need; its content matters to
   neither before nor after. */
static inline size_t batchnorm_space(int c)
{
    return (size_t)c * WARP * sizeof(struct moments);
}

/* launch the two readings */
template <class V>
static void norm_forward(dim3 grid, int n, int c, int hv, float eps, const V *x,
                         const float *scale, const float *shift, V *y,
                         float *mean, float *var, void *space,
                         cudaStream_t stream)
{
    struct moments *share = (struct moments *)space;

    if (share)
        norm_moments<<<grid, NORM_THREADS, 0, stream>>>(n, c, hv, x, share);
    CUDA_LAUNCH_CHECK();
    norm_apply<<<grid, NORM_THREADS, 0, stream>>>(n, c, hv, eps, x, share,
                                                  scale, shift, y, mean, var);
    CUDA_LAUNCH_CHECK();
}

/* Queues a batch norm in training: x's own moments, kept in mean and var. */
static inline void batchnorm_forward_run(int n, int c, int hw, float eps,
                                         const float *x, const float *scale,
                                         const float *shift, float *y,
                                         float *mean, float *var, void *space,
                                         cudaStream_t stream)
{
    if (c > 0 && by_four((size_t)hw, x, y, y))
        norm_forward(norm_grid(n, c, hw / 4), n, c, hw / 4, eps,
                     (const float4 *)x, scale, shift, (float4 *)y, mean, var,
                     space, stream);
    else if (c > 0)
        norm_forward(norm_grid(n, c, hw), n, c, hw, eps, x, scale, shift, y,
                     mean, var, space, stream);
}

/* In inference: mean and var are given; y may be x. */
static inline void batchnorm_apply_run(int n, int c, int hw, float eps,
                                       const float *x, const float *mean,
                                       const float *var, const float *scale,
                                       const float *shift, float *y,
                                       cudaStream_t stream)
{
    if (n > 0 && hw > 0)
        batchnorm_forward_run(n, c, hw, eps, x, scale, shift, y, (float *)mean,
                              (float *)var, NULL, stream);
}
template <class V>
static void norm_backward(int n, int c, int hv, float eps, const V *x,
                          const float *mean, const float *var,
                          const float *scale, const V *dy, V *dx, float *dscale,
                          float *dshift, void *space, cudaStream_t stream)
{
    dim3 grid = norm_grid(n, c, hv);
    float2 *share = (float2 *)space;

    norm_sums<<<grid, NORM_THREADS, 0, stream>>>(n, c, hv, eps, x, mean, var,
                                                 dy, share);
    CUDA_LAUNCH_CHECK();
    norm_slope<<<grid, NORM_THREADS, 0, stream>>>(
        n, c, hv, eps, x, mean, var, scale, dy, share, dx, dscale, dshift);
    CUDA_LAUNCH_CHECK();
}
/* Queues the gradients of training; dx may be dy. */
static inline void batchnorm_backward_run(int n, int c, int hw, float eps,
                                          const float *x, const float *mean,
                                          const float *var, const float *scale,
                                          const float *dy, float *dx,
                                          float *dscale, float *dshift,
                                          void *space, cudaStream_t stream)
{
    if (c > 0 && by_four((size_t)hw, x, dy, dx))
        norm_backward(n, c, hw / 4, eps, (const float4 *)x, mean, var, scale,
                      (const float4 *)dy, (float4 *)dx, dscale, dshift, space,
                      stream);
    else if (c > 0)
        norm_backward(n, c, hw, eps, x, mean, var, scale, dy, dx, dscale,
                      dshift, space, stream);
}

#endif

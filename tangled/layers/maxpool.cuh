/* maxpool.cuh: the largest of each 2 x 2, and the way back. */
#ifndef LAYERS_MAXPOOL_CUH
#define LAYERS_MAXPOOL_CUH

#include "kernels/launch.h"

/* find the largest of four */
/* A thread for each output; i counts them. PAIRS: w is even and x at a multiple
   of 8 bytes. */
template <int PAIRS>
__global__ void maxpool_each(unsigned n, int h, int w, const float *x, float *y,
                             unsigned char *which)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned rows = h / 2, cols = w / 2;
    unsigned char best = 0;

    if (i < n) {
        unsigned row = i / cols, col = i % cols;
        size_t from = (size_t)(row / rows) * h + row % rows * 2;
        const float *at = x + from * w + col * 2;
        float v[4], most;

        /* load four */
        if (PAIRS) {
            float2 top = *(const float2 *)at, low = *(const float2 *)(at + w);

            v[0] = top.x;
            v[1] = top.y;
            v[2] = low.x;
            v[3] = low.y;
        } else {
            v[0] = at[0];
            v[1] = at[1];
            v[2] = at[w];
            v[3] = at[w + 1];
        }
        most = v[0];
        for (int k = 1; k < 4; k++)
            if (v[k] > most || isnan(v[k])) {
                most = v[k];
                best = k;
            }
        y[i] = most;
        which[i] = best;
    }
}

/* send the gradient to the largest */
/* A thread for each 2 x 2 of dx, or what the edge leaves of it. */
template <int PAIRS>
__global__ void maxpool_slope(unsigned n, int h, int w, const float *dy,
                              const unsigned char *which, float *dx)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned rows = (h + 1) / 2, cols = (w + 1) / 2;
    size_t plane = i / cols / rows;
    int r = (int)(i / cols % rows), col = (int)(i % cols), best = 4;
    float d = 0;

    if (i >= n)
        return;
    if (r < h / 2 && col < w / 2) {
        size_t from = (plane * (h / 2) + r) * (w / 2) + col;

        d = dy[from];
        best = which[from];
    }
    dx += (plane * h + 2 * r) * w + 2 * col;
    /* write up to four */
    if (PAIRS) {
        *(float2 *)dx = make_float2(best == 0 ? d : 0, best == 1 ? d : 0);
        if (2 * r + 1 < h)
            *(float2 *)(dx + w) =
                make_float2(best == 2 ? d : 0, best == 3 ? d : 0);
    } else {
        for (int k = 0; k < 4; k++)
            if (2 * r + k / 2 < h && 2 * col + k % 2 < w)
                dx[k / 2 * (size_t)w + k % 2] = best == k ? d : 0;
    }
}

/* launch a max-pool */
/* Queue on the stream what maxpool_forward and maxpool_backward compute. */
static inline void maxpool_forward_run(int planes, int h, int w, const float *x,
                                       float *y, unsigned char *which,
                                       cudaStream_t stream)
{
    size_t n = (size_t)planes * (h / 2) * (w / 2);

    if (n == 0)
        return;
    CHECK(n <= UINT32_MAX - 256, "%zu windows are too many", n);
    if (w % 2 == 0 && (size_t)x % sizeof(float2) == 0)
        maxpool_each<1><<<blocks_for(n, 256), 256, 0, stream>>>((unsigned)n, h,
                                                                w, x, y, which);
    else
        maxpool_each<0><<<blocks_for(n, 256), 256, 0, stream>>>((unsigned)n, h,
                                                                w, x, y, which);
    CUDA_LAUNCH_CHECK();
}
static inline void maxpool_backward_run(int planes, int h, int w,
                                        const float *dy,
                                        const unsigned char *which, float *dx,
                                        cudaStream_t stream)
{
    size_t n = (size_t)planes * ((h + 1) / 2) * ((w + 1) / 2);

    if (n == 0)
        return;
    CHECK(n <= UINT32_MAX - 256, "%zu windows are too many", n);
    if (w % 2 == 0 && (size_t)dx % sizeof(float2) == 0)
        maxpool_slope<1><<<blocks_for(n, 256), 256, 0, stream>>>(
            (unsigned)n, h, w, dy, which, dx);
    else
        maxpool_slope<0><<<blocks_for(n, 256), 256, 0, stream>>>(
            (unsigned)n, h, w, dy, which, dx);
    CUDA_LAUNCH_CHECK();
}

#endif

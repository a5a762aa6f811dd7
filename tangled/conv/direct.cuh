/* direct.cuh: one thread for each output element. */
#ifndef CONV_DIRECT_CUH
#define CONV_DIRECT_CUH

#include "conv/gather.cuh"

/* gather one output element per thread */
__global__ void gather_direct(struct gather g, const float *in, const float *w,
                              float *out, int count)
{
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int rest = (int)at, q, p, o;
    float sum = 0;

    if (at >= count)
        return;
    q = rest % g.q, rest /= g.q;
    p = rest % g.p, rest /= g.p;
    o = rest % g.k, rest /= g.k;
    in += (size_t)rest * g.c * g.h * g.w;
    w += (size_t)o * g.w_out;
    /* add up the taps of one output */
    for (int c = 0; c < g.c; c++, in += g.h * g.w, w += g.w_in)
        for (int i = 0; i < g.r; i++) {
            int row = gather_from(g, p, i, g.h);

            for (int j = 0; row >= 0 && j < g.s; j++) {
                int col = gather_from(g, q, j, g.w);

                if (col >= 0)
                    sum += in[row * g.w + col] * w[i * g.s + j];
            }
        }
    out[at] = sum;
}

/* launch a direct gather */
/* Queues out = gather of in with w; all three on the device. */
static inline void launch_direct(struct gather g, const float *in,
                                 const float *w, float *out,
                                 cudaStream_t stream)
{
    int count = g.n * g.k * g.p * g.q;

    if (count > 0)
        gather_direct<<<blocks_for((size_t)count, 256), 256, 0, stream>>>(
            g, in, w, out, count);
    CUDA_LAUNCH_CHECK();
}

#endif

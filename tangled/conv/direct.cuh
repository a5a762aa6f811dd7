/* direct.cuh: one thread for each output element. */
#ifndef CONV_DIRECT_CUH
#define CONV_DIRECT_CUH

#include "conv/gather.cuh"

/* gather one output element per thread */
__global__ void gather_direct(struct gather g, const float *in, const float *w,
                              float *out, int count)
{
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int q = (int)(at % g.q), p = (int)(at / g.q % g.p);
    int o = (int)(at / g.q / g.p % g.k), n = (int)(at / g.q / g.p / g.k);
    float sum = 0;

    if (at >= (size_t)count)
        return;
    in += conv_row(g.c, g.h, g.w, n, 0, 0);
    w += (size_t)o * g.w_out;
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

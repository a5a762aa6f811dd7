/* tiled.cuh: a block makes a square of outputs from a square of inputs that it
   keeps in shared memory. */
#ifndef CONV_TILED_CUH
#define CONV_TILED_CUH

#include "conv/direct.cuh"

/* find a block's tile */
/* How many inputs under `count` neighboring outputs of one side. */
static __host__ __device__ inline int halo_side(int count, int stride, int taps,
                                                int dilation)
{
    return (count - 1) * stride + (taps - 1) * dilation + 1;
}

/* convolve a tile with its halo */
__global__ void convolve_tile(struct conv v, int P, int Q, const float *x,
                              const float *w, float *y)
{
    extern __shared__ float halo[];
    int side = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * side + tx;
    int tall = halo_side(side, v.stride, v.r, v.dilation);
    int wide = halo_side(side, v.stride, v.s, v.dilation);
    float *taps = halo + tall * wide, sum = 0;
    int across = (Q + side - 1) / side, down = (P + side - 1) / side;
    int q0 = blockIdx.x % across * side, p0 = blockIdx.x / across % down * side;
    int k = blockIdx.x / across / down % v.k;
    int n = blockIdx.x / across / down / v.k;

    for (int c = 0; c < v.c; c++) {
        /* load the halo and the taps of one channel */
        const float *plane = x + conv_row(v.c, v.h, v.w, n, c, 0);

        for (int e = t; e < tall * wide; e += side * side) {
            int row = p0 * v.stride - v.pad + e / wide;
            int col = q0 * v.stride - v.pad + e % wide;
            int exists = row >= 0 && row < v.h && col >= 0 && col < v.w;

            halo[e] = exists ? plane[row * v.w + col] : 0;
        }
        for (int e = t; e < v.r * v.s; e += side * side)
            taps[e] = w[conv_row(v.c, v.r, v.s, k, c, 0) + e];
        __syncthreads();
        /* add up the taps from shared memory */
        const float *first = halo + (ty * wide + tx) * v.stride;

        for (int i = 0; i < v.r; i++)
            for (int j = 0; j < v.s; j++)
                sum += first[i * v.dilation * wide + j * v.dilation] *
                       taps[i * v.s + j];
        __syncthreads();
    }
    if (p0 + ty < P && q0 + tx < Q)
        y[conv_row(v.k, P, Q, n, k, p0 + ty) + q0 + tx] = sum;
}

/* launch a tiled convolution */
/* Queues y = x with the filters w. The tile is 16 x 16 outputs, or smaller when
   its halo would not fit into 48 KB; filters too large for that go direct. */
static inline void launch_tiled(const struct conv *v, const float *x,
                                const float *w, float *y, cudaStream_t stream)
{
    size_t P = (size_t)conv_out_h(v), Q = (size_t)conv_out_w(v), bytes, blocks;
    int side = 32;

    do {
        side /= 2;
        bytes = ((double)halo_side(side, v->stride, v->r, v->dilation) *
                     halo_side(side, v->stride, v->s, v->dilation) +
                 (double)v->r * v->s) *
                sizeof(float);
    } while (side > 1 && bytes > 48 << 10);
    blocks = v->n * (size_t)v->k * ceil_div(P, side) * ceil_div(Q, side);
    if (bytes > 48 << 10)
        launch_direct(gather_forward(v), x, w, y, stream);
    else if (blocks > 0)
        convolve_tile<<<(unsigned)blocks, dim3(side, side), bytes, stream>>>(
            *v, (int)P, (int)Q, x, w, y);
    CUDA_LAUNCH_CHECK();
}

#endif

/* stay: rotate sixteen numbers, with an index and without. */
#include <stdio.h>

#include "kernels/fill.cuh"
#include "tour/args.h"

/* rotate in registers */
__global__ void rotate_by_index(int turn, const float *x, float *y)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[16];

    for (int k = 0; k < 16; k++)
        v[k] = x[k * threads + i];
    for (int k = 0; k < 16; k++)
        y[k * threads + i] = v[(k + turn) % 16];
}

__global__ void rotate_by_bits(int turn, const float *x, float *y)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[16], w[16];

#pragma unroll
    for (int k = 0; k < 16; k++)
        v[k] = x[k * threads + i];
#pragma unroll
    for (int by = 8; by > 0; by /= 2) {
        /* rotate by a known distance if the bit is set */
        for (int k = 0; k < 16; k++)
            w[k] = turn & by ? v[(k + by) % 16] : v[k];
        for (int k = 0; k < 16; k++)
            v[k] = w[k];
    }
#pragma unroll
    for (int k = 0; k < 16; k++)
        y[k * threads + i] = v[k];
}

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "rotate", NULL, 0);
    enum { THREADS = 64, N = 16 * THREADS };
    float *d_x = small_floats(N, seed), *d_y, h[N];

    CUDA_CHECK(cudaMalloc((void **)&d_y, sizeof h));
    for (int turn = 0; turn < 32; turn++) {
        CUDA_CHECK(cudaMemset(d_y, 0xff, sizeof h));
        auto rotate = turn < 16 ? rotate_by_bits : rotate_by_index;
        rotate<<<2, 32>>>(turn, d_x, d_y);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(cudaMemcpy(h, d_y, sizeof h, cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; i++)
            CHECK(h[i] == small_at(seed, (i + turn * THREADS) % N),
                  "turn %d: y[%d] is %g", turn, i, h[i]);
    }
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    printf("ok: 16 rotations, both ways\n");
    return 0;
}

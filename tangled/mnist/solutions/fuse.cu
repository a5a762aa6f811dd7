/* fuse: the maximum of each cell and the ReLU in one kernel. */
#include "layers/maxpool.cuh"
#include "layers/relu.cuh"
#include "tour/rng.h"

enum { PLANES = 6, SIDE = 14, CELLS = PLANES * 49, ALL = PLANES * 196 };

__global__ void pool_relu(int cells, const float *x, float *y,
                          unsigned char *which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, half = SIDE / 2;
    float best = 0;
    unsigned char who = 4;

    if (i >= cells)
        return;
    x += (size_t)(i / half) * 2 * SIDE + i % half * 2;
    for (int j = 0; j < 4; j++) {
        float v = x[j / 2 * SIDE + j % 2];

        who = v > best ? (unsigned char)j : who;
        best = v > best ? v : best;
    }
    y[i] = best;
    which[i] = who;
}

/* compare with the two kernels */
static float x[ALL], dy[CELLS], y[2][CELLS], dx[2][ALL];

static void run(int fused, float *d, unsigned char *which)
{
    float *d_x = d, *d_y = d + ALL, *d_dy = d_y + CELLS, *d_dx = d_dy + CELLS;

    CUDA_CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_dy, dy, sizeof dy, cudaMemcpyHostToDevice));
    if (fused) {
        pool_relu<<<blocks_for(CELLS, 128), 128>>>(CELLS, d_x, d_y, which);
        CUDA_LAUNCH_CHECK();
    } else {
        maxpool_forward_run(PLANES, SIDE, SIDE, d_x, d_y, which, 0);
        relu_forward_run(CELLS, d_y, d_y, 0);
        relu_backward_run(CELLS, d_y, d_dy, d_dy, 0);
    }
    maxpool_backward_run(PLANES, SIDE, SIDE, d_dy, which, d_dx, 0);
    CUDA_CHECK(cudaMemcpy(y[fused], d_y, sizeof *y, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(dx[fused], d_dx, sizeof *dx, cudaMemcpyDeviceToHost));
}
int main(void)
{
    float *d;
    unsigned char *which;

    CUDA_CHECK(cudaMalloc((void **)&d, 2 * (ALL + CELLS) * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&which, CELLS));
    rng_fill_small(x, ALL, 1);
    rng_fill_small(dy, CELLS, 2);
    run(0, d, which);
    run(1, d, which);
    CHECK_ARRAY(y[1], y[0], CELLS);
    CHECK_ARRAY(dx[1], dx[0], ALL);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(which));
    printf("ok: %d cells, one kernel and two\n", CELLS);
    return 0;
}

/* same: the maximum of each cell by one kernel, and by chapter 21's three. */
#include "layers/maxpool.cuh"
#include "layers/relu.cuh"
#include "mnist/kernels.cuh"
#include "tour/rng.h"

enum { N = 3, OUT = 2, SIDE = 14, CELLS = N * OUT * 49, ALL = 4 * CELLS };

int main(void)
{
    static float z[ALL], y[CELLS], x[CELLS];
    float stats[8] = {0.5f, 0.4f, 0.1f, 0.2f, 1.5f, -1, 0.1f, 0.2f}, *d;
    unsigned char *winner;

    CUDA_CHECK(cudaMalloc((void **)&d, (8 + 2 * ALL + 2 * CELLS) * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&winner, CELLS));
    rng_fill_float(z, ALL, 1);
    CUDA_CHECK(cudaMemcpy(d, stats, sizeof stats, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d + 8, z, sizeof z, cudaMemcpyHostToDevice));
    /* normalize in one kernel and in three */
    float *d_z = d + 8, *to = d_z + ALL, *d_y = to + ALL, *d_x = d_y + CELLS;
    struct norm_args g = {N, OUT, 1, d_z, d + 4, d};

    g.y = d_y;
    g.winner = winner;
    maxima<SIDE><<<dim3(1, OUT), NORM_THREADS>>>(g);
    CUDA_LAUNCH_CHECK();
    batchnorm_apply_run(N, OUT, 196, EPSILON, d_z, d, d + 2, d + 4, d + 6, to,
                        NULL);
    maxpool_forward_run(N * OUT, SIDE, SIDE, to, d_x, winner, 0);
    relu_forward_run(CELLS, d_x, d_x, 0);
    CUDA_CHECK(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    for (int i = 0; i < CELLS; i++)
        CHECK(fabsf(x[i] - y[i]) <= 1e-6f, "cell %d: %g and %g", i, x[i], y[i]);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(winner));
    printf("ok: %d cells, one kernel and three\n", CELLS);
    return 0;
}

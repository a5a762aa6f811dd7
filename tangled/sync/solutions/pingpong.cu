/* pingpong: steps of the ring in shared memory, a barrier a step. */
#include <stdio.h>

#include "sync/grid.cuh"
#include "tour/args.h"

/* step the ring with one barrier */
enum { RING = 100 };

__global__ void ring_block(unsigned steps, unsigned *a)
{
    __shared__ unsigned row[2][RING];
    unsigned t = threadIdx.x;

    row[0][t] = a[t];
    __syncthreads();
    for (unsigned k = 0; k < steps; k++) {
        ring_step(t, RING, row[k % 2], row[(k + 1) % 2]);
        __syncthreads();
    }
    a[t] = row[steps % 2][t];
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("steps", 13, 0, 10000)};
    unsigned h[3][RING], *d, *d_b, steps;

    args_parse(argc, argv, "ping-pong", args, ARG_COUNT(args));
    steps = (unsigned)args[0].value;
    for (unsigned i = 0; i < RING; i++)
        h[0][i] = i * i + 1;
    /* step both rings and compare */
    CUDA_CHECK(cudaMalloc((void **)&d, 4 * sizeof h[0]));
    d_b = d + 2 * RING;
    for (int k = 0; k < 2; k++)
        CUDA_CHECK(cudaMemcpy(d + k * RING, h[0], sizeof h[0],
                              cudaMemcpyHostToDevice));
    ring_block<<<1, RING>>>(steps, d);
    CUDA_LAUNCH_CHECK();
    ring_run(RING_LAUNCHES, RING, steps, d + RING, d_b, d_b + RING);
    CUDA_CHECK(cudaMemcpy(h[1], d, sizeof h[1], cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h[2], steps % 2 ? d_b : d + RING, sizeof h[2],
                          cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < RING; i++)
        CHECK(h[1][i] == h[2][i], "number %u is %u, not %u", i, h[1][i],
              h[2][i]);
    CUDA_CHECK(cudaFree(d));
    printf("ok: %u steps of a ring of %d\n", steps, (int)RING);
    return 0;
}

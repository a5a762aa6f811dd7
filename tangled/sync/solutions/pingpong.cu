/* pingpong: steps of the ring in shared memory, a barrier a step. */
#include <stdio.h>

#include "kernels/launch.h"
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
        const unsigned *from = row[k % 2];

        row[(k + 1) % 2][t] =
            from[(t + RING - 1) % RING] + 2 * from[t] + from[(t + 1) % RING];
        __syncthreads();
    }
    a[t] = row[steps % 2][t];
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("steps", 13, 0, 10000)};
    unsigned h[2][RING], got[RING], *d, steps;

    args_parse(argc, argv, "ping-pong", args, ARG_COUNT(args));
    steps = (unsigned)args[0].value;
    for (unsigned i = 0; i < RING; i++)
        h[0][i] = i * i + 1;
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof got));
    CUDA_CHECK(cudaMemcpy(d, h[0], sizeof got, cudaMemcpyHostToDevice));
    ring_block<<<1, RING>>>(steps, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    /* step on the CPU and compare */
    for (unsigned k = 0; k < steps; k++)
        for (unsigned i = 0; i < RING; i++)
            h[(k + 1) % 2][i] = h[k % 2][(i + RING - 1) % RING] +
                                2 * h[k % 2][i] + h[k % 2][(i + 1) % RING];
    for (unsigned i = 0; i < RING; i++)
        CHECK(got[i] == h[steps % 2][i], "number %u is %u, not %u", i, got[i],
              h[steps % 2][i]);
    printf("ok: %u steps of a ring of %d\n", steps, (int)RING);
    return 0;
}

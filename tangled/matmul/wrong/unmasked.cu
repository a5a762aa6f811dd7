/* wrong: run: 33 x 33: wrote behind C */
/* wrong: gpu: 33 x 33: wrote behind C */
#include <math.h>
#include <stdio.h>

#include "matmul/matmul.cuh"
#include "tour/rng.h"

/* multiply without a mask */
__global__ void multiply_unmasked(struct product s)
{
    multiply_one(s, blockIdx.x / s.across * TILE + threadIdx.y,
                 blockIdx.x % s.across * TILE + threadIdx.x);
}

/* multiply without a mask and look behind C */
static void multiply_and_look(int n)
{
    enum { ROOM = 128 * 128 };
    static float h[ROOM];
    int across = (int)ceil_div((size_t)n, TILE);
    struct product s = {n, n, n, across, 1, 0, NULL, NULL, NULL, {0, 1},
                        {0, 1}, (size_t)n};
    float *d;

    s.sa.row = s.sb.row = (size_t)n;
    rng_fill_small(h, ROOM, 1);
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * sizeof h));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d + ROOM, 0xff, sizeof h));
    s.a = s.b = d;
    s.c = d + ROOM;
    multiply_unmasked<<<across * across, dim3(TILE, TILE)>>>(s);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d + ROOM, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = n * n; i < ROOM; i++)
        CHECK(isnan(h[i]), "%d x %d: wrote behind C", n, n);
    printf("%d x %d: nothing behind C has changed\n", n, n);
    CUDA_CHECK(cudaFree(d));
}

int main(void)
{
    multiply_and_look(64);
    multiply_and_look(33);
    return 0;
}

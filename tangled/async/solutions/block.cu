/* block: all passes over a small ring in one block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "async/passes.cuh"

/* make all passes in one block */
__global__ void pass_block(unsigned n, unsigned steps, unsigned *a)
{
    __shared__ unsigned x[2][1024];
    unsigned i = threadIdx.x;

    if (i < n)
        x[0][i] = a[i];
    for (unsigned k = 0; k < steps; k++) {
        __syncthreads();
        if (i < n)
            pass_at(i, n, k, x[k % 2], x[(k + 1) % 2]);
    }
    if (i < n)
        a[i] = x[steps % 2][i];
}

int main(void)
{
    unsigned a[1024], b[1024], got[1024], *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof a));
    for (unsigned n = 1; n <= 1024; n = 3 * n + 1)
        /* compare rings of this length */
        for (unsigned steps = 0; steps < 12; steps += 3) {
            for (unsigned i = 0; i < n; i++)
                a[i] = 77 * i + 5;
            CUDA_CHECK(cudaMemcpy(d, a, n * sizeof *a, cudaMemcpyHostToDevice));
            pass_block<<<1, 1024>>>(n, steps, d);
            CUDA_LAUNCH_CHECK();
            CUDA_CHECK(
                cudaMemcpy(got, d, n * sizeof *a, cudaMemcpyDeviceToHost));
            host_passes(n, steps, a, b);
            CHECK(!memcmp(got, a, n * sizeof *a), "n %u, %u steps", n, steps);
        }
    CUDA_CHECK(cudaFree(d));
    printf("ok: rings of 1 to 364 numbers in one block\n");
    return 0;
}

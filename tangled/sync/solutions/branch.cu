/* branch: a barrier outside the branch; a loop that all leave together. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* meet outside the branch */
__global__ void halve_all(unsigned *a, unsigned *turns)
{
    __shared__ unsigned row[64];
    unsigned t = threadIdx.x, left = (t + 63) % 64;

    row[t] = a[t];
    if (t < 48)
        row[t] *= 2;
    __syncthreads();
    a[t] = row[left];
    *(turns + t) = 0;
    while (__syncthreads_or(a[t] > 0)) {
        a[t] /= 2; /* 0 stays 0 */
        turns[t]++;
    }
}

int main(int argc, char **argv)
{
    unsigned h[128], *d, most = 0;

    args_parse(argc, argv, "barriers outside branches", NULL, 0);
    for (unsigned t = 0; t < 64; t++)
        h[t] = t * t;
    for (unsigned t = 0; t < 64; t++)
        for (unsigned v = h[t] * (t < 48 ? 2 : 1), k = 0; v; v /= 2)
            most = ++k > most ? k : most;
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof h));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h / 2, cudaMemcpyHostToDevice));
    halve_all<<<1, 64>>>(d, d + 64);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    for (unsigned t = 0; t < 64; t++)
        CHECK(h[t] == 0 && h[64 + t] == most, "thread %u: %u after %u turns", t,
              h[t], h[64 + t]);
    printf("ok: 64 threads, %u turns each\n", most);
    return 0;
}

/* byte: counters of one byte that stop at 255. */
#include <stdio.h>

#include "kernels/launch.h"
#include "sync/order.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* Adds 1 to *p unless it is 255, in one step; returns what *p was. */
static __device__ inline unsigned add_saturating(unsigned char *p)
{
    unsigned *word = (unsigned *)((size_t)p & ~(size_t)3);
    unsigned shift = 8 * (unsigned)((size_t)p & 3);
    unsigned old = load_relaxed(word), seen;

    do {
        seen = old;
        if ((seen >> shift & 255) == 255)
            break;
        old = atomicCAS(word, seen, seen + (1u << shift));
    } while (old != seen);
    return old >> shift & 255;
}

__global__ void count_bytes(int n, const unsigned char *which,
                            unsigned char *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        add_saturating(&count[which[i]]);
}

int main(int argc, char **argv)
{
    enum { COUNTERS = 16 };
    struct arg args[] = {ARG_SIZE("n", 3000, 1, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "counters of one byte", args,
                               ARG_COUNT(args));
    int n = (int)args[0].value, want[COUNTERS] = {0};
    unsigned char *h = (unsigned char *)check_alloc((size_t)n, 1), *d;
    unsigned char got[COUNTERS];

    for (int i = 0; i < n; i++) {
        h[i] = (unsigned char)(rng_at(seed, (uint64_t)i) % 97 % COUNTERS);
        want[h[i]]++;
    }
    CUDA_CHECK(cudaMalloc((void **)&d, (size_t)n + COUNTERS));
    CUDA_CHECK(cudaMemset(d, 0, COUNTERS));
    CUDA_CHECK(cudaMemcpy(d + COUNTERS, h, (size_t)n, cudaMemcpyHostToDevice));
    count_bytes<<<blocks_for((size_t)n, 128), 128>>>(n, d + COUNTERS, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(got, d, COUNTERS, cudaMemcpyDeviceToHost));
    for (int k = 0; k < COUNTERS; k++)
        CHECK(got[k] == (want[k] < 255 ? want[k] : 255), "counter %d: %d, of %d",
              k, got[k], want[k]);
    printf("ok: %d additions to %d bytes\n", n, COUNTERS);
    CUDA_CHECK(cudaFree(d));
    free(h);
    return 0;
}

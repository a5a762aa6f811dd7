/* byte: counters of one byte that stop at 255. */
#include <stdio.h>

#include "kernels/launch.h"
#include "sync/order.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* count in a byte */
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
    enum { K = 16 };
    struct arg args[] = {ARG_SIZE("n", 3000, 1, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "counters of one byte", args, ARG_COUNT(args));
    int n = (int)args[0].value, want[K] = {0};
    unsigned char *h = (unsigned char *)check_alloc((size_t)n, 1), *d, got[K];

    for (int i = 0; i < n; i++)
        want[h[i] = rng_at(seed, (uint64_t)i) % 97 % K]++;
    CUDA_CHECK(cudaMalloc((void **)&d, (size_t)n + K));
    CUDA_CHECK(cudaMemset(d, 0, K));
    CUDA_CHECK(cudaMemcpy(d + K, h, (size_t)n, cudaMemcpyHostToDevice));
    count_bytes<<<blocks_for((size_t)n, 128), 128>>>(n, d + K, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(got, d, K, cudaMemcpyDeviceToHost));
    for (int k = 0; k < K; k++)
        CHECK(got[k] == (want[k] < 255 ? want[k] : 255), "%d: %d, of %d", k,
              got[k], want[k]);
    printf("ok: %d additions to %d bytes\n", n, K);
    return 0;
}

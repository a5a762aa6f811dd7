/* spill: counters in registers and in local memory, and too many sums. */
#include <stdio.h>

#include "memory/probes.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* check the counts of digits */
static void check_counts(void (*kernel)(int, const unsigned *, int *),
                         int blocks, int words, uint64_t seed)
{
    size_t threads = (size_t)blocks * 64, n = threads * words;
    unsigned *h_x = (unsigned *)check_alloc(n, sizeof *h_x), *d_x;
    int *h = (int *)check_alloc(16 * threads, sizeof *h), *d;

    for (size_t i = 0; i < n; i++)
        h_x[i] = (unsigned)(rng_at(seed, i) >> 32);
    CUDA_CHECK(cudaMalloc((void **)&d_x, (n + 1) * sizeof *d_x));
    CUDA_CHECK(cudaMalloc((void **)&d, 16 * threads * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof *d_x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d, 0xff, 16 * threads * sizeof *d));
    kernel<<<blocks, 64>>>(words, d_x, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(
        cudaMemcpy(h, d, 16 * threads * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++) /* count down to zero */
        for (int k = 0; k < 8; k++)
            h[(h_x[i] >> 4 * k & 15) * threads + i % threads]--;
    for (size_t i = 0; i < 16 * threads; i++)
        CHECK(h[i] == 0, "digit %zu of thread %zu is off by %d", i / threads,
              i % threads, h[i]);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d));
    free(h_x);
    free(h);
}

/* check the many sums */
static void check_many(int blocks)
{
    int n = 64 * blocks;
    float *h = (float *)check_alloc((size_t)n, sizeof *h), *d;

    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, n * sizeof *d));
    keep_many<<<blocks, 64>>>(60, 0.5f, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(h[i] == 64 * 2, "thread %d has %g, not 128", i, h[i]);
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 3, 1, 65536),
                         ARG_SIZE("words", 5, 0, 1024)};
    uint64_t seed = args_parse(argc, argv, "registers and local memory", args,
                               ARG_COUNT(args));
    int blocks = (int)args[0].value, words = (int)args[1].value;

    check_counts(count_by_index, blocks, words, seed);
    check_counts(count_by_asking, blocks, words, seed);
    check_many(blocks);
    printf("ok: %d threads counted %d digits each, twice\n", 64 * blocks,
           8 * words);
    return 0;
}

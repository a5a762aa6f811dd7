/* grid: lines across a grid, and a total that goes from block to block. */
#include <stdio.h>
#include <string.h>

#include "sync/grid.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* compare the rings with the CPU */
static void compare_rings(unsigned n, unsigned steps, uint64_t seed)
{
    size_t bytes = n * sizeof(unsigned);
    unsigned *h[4], *d;

    for (int k = 0; k < 4; k++)
        h[k] = (unsigned *)check_alloc(n, sizeof **h);
    for (unsigned i = 0; i < n; i++)
        h[0][i] = h[2][i] = (unsigned)rng_at(seed, i);
    for (unsigned k = 0; k < steps; k++)
        for (unsigned i = 0; i < n; i++)
            h[(k + 1) % 2][i] = h[k % 2][(i + n - 1) % n] + 2 * h[k % 2][i] +
                                h[k % 2][(i + 1) % n];
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * bytes + sizeof *d));
    for (int how = 0; how < RINGS; how++) {
        /* compare one of the rings */
        CUDA_CHECK(cudaMemcpy(d, h[2], bytes, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(d + n, 0xff, bytes));
        ring_run((enum ring)how, n, steps, d, d + n, d + 2 * (size_t)n);
        CUDA_CHECK(cudaMemcpy(h[3], steps % 2 ? d + n : d, bytes,
                              cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < n; i++)
            CHECK(h[3][i] == h[steps % 2][i],
                  "%s, %u steps: number %u is %u, not %u", ring_names[how],
                  steps, i, h[3][i], h[steps % 2][i]);
    }
    CUDA_CHECK(cudaFree(d));
    for (int k = 0; k < 4; k++)
        free(h[k]);
}

/* compare the running totals with a loop */
static void compare_totals(unsigned blocks, unsigned threads, uint64_t seed)
{
    size_t n = (size_t)blocks * threads, words = n + 2 * (size_t)blocks + 1;
    unsigned *h = (unsigned *)check_alloc(words, sizeof *h), *d, sum = 0;

    for (size_t i = 0; i < n; i++)
        h[i] = (unsigned)rng_at(seed, i);
    CUDA_CHECK(cudaMalloc((void **)&d, words * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, words * sizeof *d, cudaMemcpyHostToDevice));
    running_total<<<blocks, threads>>>(d, d + n, d + n + blocks,
                                       d + n + 2 * (size_t)blocks);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, words * sizeof *d, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++) {
        sum += h[i];
        if ((i + 1) % threads == 0)
            CHECK(h[n + i / threads] == sum, "total %zu is %u, not %u",
                  i / threads, h[n + i / threads], sum);
    }
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 26),
                         ARG_SIZE("steps", 11, 0, 100000),
                         ARG_SIZE("blocks", 9, 1, 100000)};
    uint64_t seed =
        args_parse(argc, argv, "lines across a grid", args, ARG_COUNT(args));

    compare_rings((unsigned)args[0].value, (unsigned)args[1].value, seed);
    compare_totals((unsigned)args[2].value, 64, seed);
    printf("ok: %u steps over %u numbers in 3 ways, %u running totals\n",
           (unsigned)args[1].value, (unsigned)args[0].value,
           (unsigned)args[2].value);
    return 0;
}

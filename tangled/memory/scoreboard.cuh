/* scoreboard.cuh: loads that wait for each other, and loads that do not. */
#ifndef MEMORY_SCOREBOARD_CUH
#define MEMORY_SCOREBOARD_CUH

#include "kernels/launch.h"
#include "measure/bench.h"
#include "simt/where.cuh"

/* time loads that wait and loads that do not */
enum { LOADS = 8, APART = 1024 }; /* loads; ints from one to the next */
enum { ONE, TOGETHER, ISSUED, CHAINED, STORED, TIMES };

__global__ void time_loads(const volatile int *x, volatile int *out,
                           long long *spent)
{
    long long t[6];
    int v[LOADS], at = 0, sum = 0;

    out[3] = x[LOADS * APART + 64]; /* finds the page, for all */
    t[0] = clock64();
    out[0] = x[LOADS * APART]; /* the store needs the value: it waits */
    t[1] = clock64();
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        v[k] = x[k * APART + 64];
    t[2] = clock64();
    for (int k = 0; k < LOADS; k++)
        sum += v[k];
    out[1] = sum;
    t[3] = clock64();
    for (int k = 0; k < LOADS; k++)
        at = x[at];
    out[2] = at;
    t[4] = clock64();
    for (int k = 0; k < LOADS; k++)
        out[k * APART + 64] = k;
    t[5] = clock64();
    /* note the five times */
    spent[ONE] = t[1] - t[0];
    spent[ISSUED] = t[2] - t[1];
    spent[TOGETHER] = t[3] - t[1];
    spent[CHAINED] = t[4] - t[3];
    spent[STORED] = t[5] - t[4];
}

/* set up the loads */
static void set_up(int *h, int n)
{
    for (int i = 0; i < n; i++)
        h[i] = i;
    for (int k = 0; k < LOADS; k++) /* 0, 128, 1024 + 128, ... */
        h[k ? (k - 1) * APART + 128 : 0] = k * APART + 128;
}

/* Where the chain ends, and the sum of the loads that go together. */
static void check_loads(const int *h, const int *out)
{
    int at = 0, sum = 0;

    for (int k = 0; k < LOADS; k++) {
        at = h[at];
        sum += h[k * APART + 64];
    }
    CHECK(out[0] == h[LOADS * APART], "one load brought %d", out[0]);
    CHECK(out[1] == sum, "eight loads brought %d, not %d", out[1], sum);
    CHECK(out[2] == at, "the chain ends at %d, not %d", out[2], at);
    CHECK(out[3] == h[LOADS * APART + 64], "the first load: %d", out[3]);
    for (int k = 0; k < LOADS; k++)
        CHECK(out[k * APART + 64] == k, "store %d is lost", k);
}

/* run the loads */
static void run_loads(long long *spent)
{
    enum { N = (LOADS + 1) * APART };
    size_t flush = 1 + 3 * (size_t)bench_attribute(cudaDevAttrL2CacheSize);
    int *h = (int *)check_alloc(2 * N, sizeof *h), *d_x, *d_out;
    long long *d_spent, now[TIMES];
    char *d_flush;

    set_up(h, N);
    CUDA_CHECK(cudaMalloc((void **)&d_x, N * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_out, N * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_spent, TIMES * sizeof *d_spent));
    CUDA_CHECK(cudaMalloc((void **)&d_flush, flush));
    for (int round = 0; round < 5; round++) {
        /* clear the caches and time the loads */
        CUDA_CHECK(cudaMemcpy(d_x, h, N * sizeof *h, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(d_out, 0xff, N * sizeof *h));
        CUDA_CHECK(cudaMemset(d_flush, round, flush));
        time_loads<<<1, 1>>>(d_x, d_out, d_spent);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(
            cudaMemcpy(now, d_spent, sizeof now, cudaMemcpyDeviceToHost));
        for (int k = 0; k < TIMES; k++)
            if (round == 0 || now[k] < spent[k])
                spent[k] = now[k];
    }
    CUDA_CHECK(cudaMemcpy(h + N, d_out, N * sizeof *h, cudaMemcpyDeviceToHost));
    check_loads(h, h + N);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_spent));
    CUDA_CHECK(cudaFree(d_flush));
    free(h);
}
#endif

/* probes: the kernels that only measure, checked. */
#include <stdio.h>

#include "memory/probes.cuh"
#include "tour/args.h"

/* judge the loads */
static void judge_loads(int judge)
{
    long long t[TIMES] = {0};

    run_loads(t);
    if (!judge)
        return;
    printf("one load %lld cycles, eight together %lld, in a chain %lld\n",
           t[ONE], t[TOGETHER], t[CHAINED]);
    CHECK(t[TOGETHER] < 2 * t[ONE], "eight loads do not overlap");
    CHECK(t[CHAINED] > 4 * t[ONE], "loads of a chain overlap");
}
/* A number of lines that a chase can have, of n bytes or more. */
static size_t lines_of(size_t n)
{
    size_t lines = 1;

    while (lines * sizeof(struct line) < n)
        lines *= 2;
    return lines;
}

static void judge_chase(void)
{
    struct cudaDeviceProp p;
    size_t sm, chip;
    long long near, far;

    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    sm = 4 * (size_t)p.regsPerMultiprocessor + p.sharedMemPerMultiprocessor;
    chip = (size_t)p.multiProcessorCount * sm + (size_t)p.l2CacheSize;
    near = chase(lines_of((size_t)p.l2CacheSize / 8), 1000).cycles / 1000;
    far = chase(lines_of(4 * chip), 1000).cycles / 1000;
    printf("on the chip %zu MiB of %zu: a load takes %lld cycles from L2, "
           "%lld from beyond\n",
           chip >> 20, p.totalGlobalMem >> 20, near, far);
    CHECK(3 * far > 4 * near, "the memory answers as L2 does");
}

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

/* check all rungs and look-ups */
static void check_rungs(uint64_t seed)
{
    static const char *const names[] = {"registers", "shared", "l1", "l2",
                                        "memory"};
    struct tables t = tables_new(2, 1100, seed);

    for (int k = 0; k < 5; k++) {
        struct rung r = {names[k], 3, 64, 61, 511, NULL, NULL, seed};

        r.d_x = small_floats(3 * 4 * (size_t)(r.mask + 1), seed);
        CUDA_CHECK(cudaMalloc((void **)&r.d_sums, 6 * sizeof(float)));
        check_rung(&r, 1);
        CUDA_CHECK(cudaFree(r.d_x));
        CUDA_CHECK(cudaFree(r.d_sums));
    }
    for (t.constant = 0; t.constant <= 1; t.constant++)
        for (t.spread = 0; t.spread <= 33; t.spread += 11)
            check_look_up(&t, seed);
    tables_free(&t);
}

int main(int argc, char **argv)
{
    struct arg judge = ARG_FLAG("--judge");
    uint64_t seed = args_parse(argc, argv, "check the probes", &judge, 1);

    check_rungs(seed);
    for (size_t lines = 32; lines <= 4096; lines *= 2)
        chase(lines, 100);
    chase_in_shared(100);
    judge_loads(judge.value != 0);
    if (judge.value)
        judge_chase();
    check_counts(count_by_index, 3, 5, seed);
    check_counts(count_by_asking, 3, 5, seed);
    check_many(2);
    printf("ok: every probe read and computed what it should\n");
    return 0;
}

/* probes: the kernels that only measure, checked. */
#include <stdio.h>

#include "memory/probes.cuh"
#include "tour/args.h"

/* judge the loads */
static void judge_loads(int judge)
{
    struct stats t[TIMES];

    run_loads(5, t);
    if (!judge)
        return;
    printf("one load %g cycles, eight together %g, in a chain %g\n",
           t[ONE].median, t[TOGETHER].median, t[CHAINED].median);
    CHECK(t[TOGETHER].median < 2 * t[ONE].median, "eight loads do not overlap");
    CHECK(t[CHAINED].median > 4 * t[ONE].median, "loads of a chain overlap");
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
    double near, far;

    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    sm = 4 * (size_t)p.regsPerMultiprocessor + p.sharedMemPerMultiprocessor;
    chip = (size_t)p.multiProcessorCount * sm + (size_t)p.l2CacheSize;
    near = chase(lines_of((size_t)p.l2CacheSize / 8), 1000, 5).cycles.median;
    far = chase(lines_of(4 * chip), 1000, 5).cycles.median;
    printf("on the chip %zu MiB of %zu: a load takes %.0f cycles from L2, "
           "%.0f from beyond\n",
           chip >> 20, p.totalGlobalMem >> 20, near, far);
    CHECK(3 * far > 4 * near, "the memory answers as L2 does");
}

/* check both counters of digits */
static void check_counters(uint64_t seed)
{
    for (int k = 0; k < 4; k++) {
        struct digits d = digits_new(2, 5, k / 2, seed);

        check_digits(&d, k % 2);
        CUDA_CHECK(cudaFree(d.x));
        CUDA_CHECK(cudaFree(d.counts));
    }
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
            check_look_up(&t);
    tables_free(&t);
}

int main(int argc, char **argv)
{
    struct arg judge = ARG_FLAG("--judge");
    uint64_t seed = args_parse(argc, argv, "check the probes", &judge, 1);

    check_rungs(seed);
    for (size_t lines = 32; lines <= 4096; lines *= 2)
        chase(lines, 100, 2);
    chase_in_shared(100);
    check_counters(seed);
    check_many(2);
    if (judge.value)
        judge_chase();
    judge_loads(judge.value != 0);
    printf("ok: every probe read and computed what it should\n");
    return 0;
}

/* bench: divergence, latency hiding, residency and sums over rows. */
#include "simt/divergence.cuh"
#include "simt/guard.cuh"
#include "simt/latency.cuh"
#include "simt/resident.cuh"
#include "simt/rows.cuh"
#include "tour/args.h"

/* choose what to measure on */
#ifdef __LOOM__
enum { MOST = 10 }; /* 2^10 elements */
#else
enum { MOST = 25 };
#endif
static float *random_floats(size_t n, uint64_t seed)
{
    float *h = (float *)check_alloc(n, sizeof *h), *d;

    rng_fill_float(h, n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
    free(h);
    return d;
}

/* measure the paths */
static void bench_paths(int most, uint64_t seed)
{
    static const int paths[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    static struct bench_case cases[2];
    int n = most < 20 ? 1 << most : 132 * 2048, turns = most < 20 ? 16 : 1024;
    struct walk_work work[2] = {{n, 1, 1, turns, random_floats(n, seed)},
                                {n, WARP, 1, turns, random_floats(n, seed)}};
    double us, one[2] = {0, 0};

    for (size_t p = 0; p < sizeof paths / sizeof *paths; p++) {
        /* measure one number of paths */
        for (int k = 0; k < 2; k++) {
            struct walk_work small = {1031, work[k].group, paths[p], 100, NULL};

            check_walk(&small, seed);
            work[k].paths = paths[p];
            cases[k] = {
                k ? "by_warps" : "within", run_walk, &work[k], NULL, 0, 0, {0}};
        }
        bench_measure(cases, 2, 1);
        bench_report(cases, 2, paths[p], 0, NULL, NULL);
        for (int k = 0; k < 2; k++) {
            us = stats_of(cases[k].us, cases[k].rounds).median;
            one[k] = p == 0 ? us : one[k];
            bench_row(cases[k].variant, paths[p], "times", us / one[k],
                      "times");
        }
    }
    us = stats_of(cases[0].us, cases[0].rounds).median;
    bench_row("within", 32, "each", (us - one[0]) / 31, "µs");
    CUDA_CHECK(cudaFree(work[0].d_data));
    CUDA_CHECK(cudaFree(work[1].d_data));
}

/* measure the guard */
struct guard_work {
    int n, guarded;
    float *d;
};

static void run_guard(void *work, int set)
{
    struct guard_work *w = (struct guard_work *)work;
    float *x = w->d + 3 * (size_t)w->n * set, *y = x + w->n, *z = y + w->n;
    int blocks = blocks_for((size_t)w->n, GUARD_BLOCK);

    if (w->guarded)
        add_grid<<<blocks, GUARD_BLOCK>>>(w->n, x, y, z);
    else
        add_unguarded<<<blocks, GUARD_BLOCK>>>(x, y, z);
    CUDA_LAUNCH_CHECK();
}
static void bench_guard(size_t n, uint64_t seed)
{
    int sets = bench_sets(12 * n);
    struct guard_work work[2] = {{(int)n, 1, NULL}, {(int)n, 0, NULL}};
    static struct bench_case cases[2] = {
        {"guarded", run_guard, NULL, NULL, 0, 0, {0}},
        {"unguarded", run_guard, NULL, NULL, 0, 0, {0}}};
    float *d = random_floats(3 * n * sets, seed);

    for (int k = 0; k < 2; k++) {
        work[k].d = d;
        cases[k].work = &work[k];
    }
    bench_measure(cases, 2, sets);
    bench_report(cases, 2, (long long)n, 12.0 * n, &cases[1], "of_unguarded");
    CUDA_CHECK(cudaFree(d));
}

/* measure the hiding of latency */
static void bench_latency(int most)
{
    static const int warps[] = {1, 2, 3, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64};
    int sms = most < 20 ? 2 : bench_attribute(cudaDevAttrMultiProcessorCount);

    for (size_t i = 0; i < sizeof warps / sizeof *warps; i++)
        for (int k = 0; k < 3; k++) {
            const char *name = latencies[k].name;
            double best = 0;

            for (int run = 0; run < 5; run++)
                best = fmax(best, rate(latencies[k].count, sms, warps[i],
                                       most < 20 ? 16 : 4096));
            if (best > 0)
                bench_row(name, warps[i], "ipc", best, "per cycle");
            if (best > 0 && warps[i] == 1)
                bench_row(name, 1, "cycles", 1 / best, "cycles");
        }
}

/* record the stays on one SM */
static void record_stays(const char *variant, size_t shared, int most)
{
    int sms = most < 20 ? 2 : bench_attribute(cudaDevAttrMultiProcessorCount);
    int blocks = 3 * sms * room(256, shared);
    struct stay *h = (struct stay *)check_alloc((size_t)blocks, sizeof *h);
    char name[32];

    stay_all(blocks, 256, shared, most < 20 ? 64 : 1024, h);
    bench_row(variant, 256, "together", most_together(h, blocks), "blocks");
    snprintf(name, sizeof name, "%s_stay", variant);
    for (int b = 0; b < blocks; b++)
        if (h[b].sm == h[0].sm) {
            bench_row(name, b, "start",
                      ((double)h[b].start - (double)h[0].start) / 1e3, "µs");
            bench_row(name, b, "end",
                      ((double)h[b].end - (double)h[0].start) / 1e3, "µs");
        }
    free(h);
}

static void bench_stays(int most)
{
    record_stays("resident", 0, most);
    record_stays("resident_48k", 49152, most);
}

/* measure sums over rows */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

__global__ void sum_rows_library(int rows, int cols, const float *x,
                                 float *sums)
{
    namespace cg = cooperative_groups;
    auto tile = cg::tiled_partition<WARP>(cg::this_thread_block());
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    float sum = 0;

    if (row >= rows)
        return;
    for (int c = tile.thread_rank(); c < cols; c += WARP)
        sum += x[(size_t)row * cols + c];
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0)
        sums[row] = sum;
}

static void rows_by_library(int rows, int cols, const float *x, float *sums)
{
    sum_rows_library<<<blocks_for((size_t)rows * WARP, 256), 256>>>(rows, cols,
                                                                    x, sums);
    CUDA_LAUNCH_CHECK();
}
struct rows_work {
    rows_launcher launch;
    int rows, cols;
    float *d_x, *d_sums;
};

static void run_rows(void *work, int set)
{
    struct rows_work *w = (struct rows_work *)work;

    w->launch(w->rows, w->cols, w->d_x + (size_t)w->rows * w->cols * set,
              w->d_sums);
}

static const struct {
    const char *name;
    rows_launcher launch;
} rows_variants[] = {{"rows_library", rows_by_library},
                     {"rows_warp", rows_by_warp},
                     {"rows_eight", rows_by_eight},
                     {"rows_thread", rows_by_thread}};
static void bench_rows(int most, int cols, uint64_t seed)
{
    enum { COUNT = 4 };
    static struct bench_case cases[COUNT];
    struct rows_work work[COUNT];
    size_t n = (size_t)1 << most, bytes = n * sizeof(float);
    int rows = (int)(n / cols), sets = bench_sets(bytes);
    float *d_x = random_floats(n * sets, seed), *d_sums;
    double places = 64.0 * bench_attribute(cudaDevAttrMultiProcessorCount);

    CUDA_CHECK(cudaMalloc((void **)&d_sums, rows * sizeof(float)));
    for (int k = 0; k < COUNT; k++) {
        check_rows(rows_variants[k].launch, 1001, 36, seed);
        work[k] = {rows_variants[k].launch, rows, cols, d_x, d_sums};
        cases[k] = {rows_variants[k].name, run_rows, &work[k], NULL, 0, 0, {0}};
    }
    bench_measure(cases, COUNT, sets);
    bench_report(cases, COUNT, rows, (double)bytes + 4.0 * rows, &cases[0],
                 "of_library");
    bench_row("rows_warp", rows, "life",
              stats_of(cases[1].us, cases[1].rounds).median * places / rows,
              "µs");
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_sums));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", MOST, 10, 28)};
    uint64_t seed = args_parse(argc, argv, "time warps", args, ARG_COUNT(args));
    int most = (int)args[0].value;

    bench_begin("simt");
    bench_paths(most, seed);
    bench_guard((size_t)1 << most, seed);
    bench_latency(most);
    bench_stays(most);
    bench_rows(most, 32, seed);
    bench_rows(most, 1024, seed);
    return 0;
}

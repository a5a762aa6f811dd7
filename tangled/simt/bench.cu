/* bench: divergence, latency hiding, residency and sums over rows. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "simt/divergence.cuh"
#include "simt/guard.cuh"
#include "simt/latency.cuh"
#include "simt/resident.cuh"
#include "simt/rows.cuh"
#include "tour/args.h"

#ifdef __LOOM__
enum { MOST = 10 }; /* 2^10 elements */
#else
enum { MOST = 25 };
#endif
enum { SMALL = 20 }; /* below it: just a test of the benchmark */

/* measure the paths */
static void check_paths(const struct bench_case *c)
{
    struct walk w = {1031, ((struct walk *)c->work)->group, 100, NULL};

    check_walk(w, c->how, 1);
}

static void bench_paths(int most, uint64_t seed)
{
    static const int paths[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    enum { COUNT = 2 * sizeof paths / sizeof *paths };
    struct bench_case table[COUNT] = {};
    const struct bench_case *c;
    struct bench b = {};
    int n = most < SMALL ? 1 << most : 132 * 2048;
    struct walk within = {n, 1, most < SMALL ? 16 : 1024,
                          random_floats(n, seed)};
    struct walk by_warps = {n, WARP, within.turns, within.d_data};

    for (int k = 0; k < COUNT; k += 2) {
        int p = paths[k / 2];

        table[k] = {"within", run_walk, p, &within, p};
        table[k + 1] = {"by_warps", run_walk, p, &by_warps, p};
    }
    b.check = check_paths;
    c = bench_run(table, COUNT, &b);
    for (int k = 0; k < COUNT; k++)
        bench_spread(c[k].variant, c[k].size, "times",
                     stats_ratio(c[k].us, c[k % 2].us, c[k].rounds), 1,
                     "times");
    bench_row("within", 32, "each",
              (bench_us(&c[COUNT - 2]) - bench_us(&c[0])) / 31, "µs");
    CUDA_CHECK(cudaFree(within.d_data));
}

/* measure the guard */
static struct pair {
    size_t n;
    float *sets; /* 3 n floats each */
} pair;

static void run_guard(void *, int guarded, int set)
{
    float *x = pair.sets + 3 * pair.n * set, *y = x + pair.n, *z = y + pair.n;
    int blocks = blocks_for(pair.n, GUARD_BLOCK);

    if (guarded)
        add_grid<<<blocks, GUARD_BLOCK>>>(pair.n, x, y, z);
    else
        add_unguarded<<<blocks, GUARD_BLOCK>>>(x, y, z);
    CUDA_LAUNCH_CHECK();
}

static void bench_guard(size_t n, uint64_t seed)
{
    static const struct bench_case table[] = {{"guarded", run_guard, 1},
                                              {"unguarded", run_guard, 0}};
    struct bench b = {NULL, (long long)n, 12.0 * n, 0};

    b.sets = bench_sets(8 * n);
    check_guard(100000, seed);
    b.peer[0] = {"unguarded", "of_unguarded"};
    pair = {n, random_floats(3 * n * (size_t)b.sets, seed)};
    bench_run(table, 2, &b);
    CUDA_CHECK(cudaFree(pair.sets));
}

/* measure the hiding of latency */
static void bench_latency(int sms, int turns)
{
    static const int warps[] = {1, 2, 3, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64};
    enum { WIDTHS = sizeof warps / sizeof *warps, RUNS = 9 };
    static double ipc[WIDTHS][3][RUNS];

    for (int run = 0; run < RUNS; run++)
        for (int i = 0; i < WIDTHS; i++)
            for (int k = 0; k < 3; k++)
                ipc[i][k][run] = rate(latencies[k].count, sms, warps[i], turns);
    for (int i = 0; i < WIDTHS; i++)
        for (int k = 0; k < 3; k++) {
            struct stats s = stats_of(ipc[i][k], RUNS);

            if (s.min == 0)
                continue; /* no SM ever held so many */
            bench_spread(latencies[k].name, warps[i], "ipc", s, 1, "per cycle");
            if (warps[i] == 1)
                bench_row(latencies[k].name, 1, "cycles", 1 / s.median,
                          "cycles");
        }
}

/* record the stays on one SM */
static void record_stays(const char *variant, size_t shared, int sms, int turns)
{
    int blocks = 3 * sms * room(256, shared);
    struct stay *h = (struct stay *)check_alloc((size_t)blocks, sizeof *h);
    char name[32];

    stay_all(blocks, 256, shared, turns, h);
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

/* measure sums over rows */
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
enum { ROWS_VARIANTS = 4 };

static const struct {
    const char *name;
    rows_launcher launch;
} rows_variants[ROWS_VARIANTS] = {{"rows_library", rows_by_library},
                                  {"rows_warp", rows_by_warp},
                                  {"rows_eight", rows_by_eight},
                                  {"rows_thread", rows_by_thread}};

struct shape {
    int rows, cols;
    float *d_x, *d_sums;
};

static void run_rows(void *work, int how, int set)
{
    struct shape *s = (struct shape *)work;

    rows_variants[how].launch(
        s->rows, s->cols, s->d_x + (size_t)s->rows * s->cols * set, s->d_sums);
}

static void check_variant(const struct bench_case *c)
{
    check_rows(rows_variants[c->how].launch, 1001, 36, 1);
}

static void bench_rows(int most, uint64_t seed)
{
    enum { COUNT = ROWS_VARIANTS };
    struct bench_case table[2 * COUNT] = {};
    const struct bench_case *c;
    struct bench b = {};
    struct shape shapes[2] = {{1 << (most - 5), 32}, {1 << (most - 10), 1024}};
    size_t n = (size_t)1 << most;
    double places = 64.0 * bench_attribute(cudaDevAttrMultiProcessorCount);

    b.sets = bench_sets(n * sizeof(float));
    b.check = check_variant;
    b.peer[0] = {"rows_library", "of_library"};
    shapes[0].d_x = shapes[1].d_x = random_floats(n * (size_t)b.sets, seed);
    shapes[0].d_sums = shapes[1].d_sums = random_floats(n / 32, seed);
    for (int k = 0; k < 2 * COUNT; k++) {
        struct shape *s = &shapes[k / COUNT];

        table[k] = {
            rows_variants[k % COUNT].name, run_rows, k % COUNT, s, s->rows,
            4.0 * n + 4.0 * s->rows};
    }
    c = bench_run(table, 2 * COUNT, &b);
    for (int k = 1; k < 2 * COUNT; k += COUNT)
        bench_row("rows_warp", c[k].size, "life",
                  bench_us(&c[k]) * places / c[k].size, "µs");
    CUDA_CHECK(cudaFree(shapes[0].d_x));
    CUDA_CHECK(cudaFree(shapes[0].d_sums));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", MOST, 10, 28)};
    uint64_t seed = args_parse(argc, argv, "time warps", args, ARG_COUNT(args));
    int most = (int)args[0].value, sms = 2;

    if (most >= SMALL)
        sms = bench_attribute(cudaDevAttrMultiProcessorCount);
    bench_begin("simt");
    bench_paths(most, seed);
    bench_guard((size_t)1 << most, seed);
    bench_latency(sms, most < SMALL ? 16 : 4096);
    record_stays("resident", 0, sms, most < SMALL ? 64 : 1024);
    record_stays("resident_48k", 49152, sms, most < SMALL ? 64 : 1024);
    bench_rows(most, seed);
    return 0;
}

/* divergence: the same paths within warps and between them. */
#include <stdio.h>

#include "simt/divergence.cuh"
#include "tour/args.h"

/* time the extremes */
static void time_extremes(void)
{
    struct walk_work full = {132 * 2048, 1, 1, 1024, NULL};
    size_t bytes = full.n * sizeof(float);
    struct walk_work work[3] = {full, full, full};
    static struct bench_case cases[3] = {
        {"one", run_walk, NULL, NULL, 9, 1, {0}},
        {"within", run_walk, NULL, NULL, 9, 1, {0}},
        {"by warps", run_walk, NULL, NULL, 9, 1, {0}}};
    double us[3];

    for (int k = 0; k < 3; k++) {
        work[k].paths = k == 0 ? 1 : 32;
        work[k].group = k == 2 ? WARP : 1;
        CUDA_CHECK(cudaMalloc((void **)&work[k].d_data, bytes));
        CUDA_CHECK(cudaMemset(work[k].d_data, 0, bytes));
        cases[k].work = &work[k];
    }
    bench_measure(cases, 3, 1);
    for (int k = 0; k < 3; k++) {
        us[k] = stats_of(cases[k].us, cases[k].rounds).median;
        CUDA_CHECK(cudaFree(work[k].d_data));
    }
    printf(
        "32 paths within a warp: %.1f times as long as one; by warps: %.2f\n",
        us[1] / us[0], us[2] / us[0]);
    CHECK(us[1] > 10 * us[0], "within: %g us, one: %g us", us[1], us[0]);
    CHECK(us[2] < 2 * us[0], "by warps: %g us, one: %g us", us[2], us[0]);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 24),
                         ARG_SIZE("turns", 20, 0, 1 << 20), ARG_FLAG("--time")};
    uint64_t seed = args_parse(argc, argv, "up to 32 paths in a warp", args,
                               ARG_COUNT(args));
    struct walk_work w = {(int)args[0].value, 1, 1, (int)args[1].value, NULL};

    for (w.paths = 1; w.paths <= 32; w.paths++)
        for (w.group = 1; w.group <= WARP; w.group *= WARP)
            check_walk(&w, seed);
    if (args[2].value)
        time_extremes();
    printf("ok: %d elements, 1 to 32 paths, within warps and by warps\n", w.n);
    return 0;
}

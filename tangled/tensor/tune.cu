/* tune: time tiles of warpgroups on squares. */
#include "tensor/bgemm.cuh"
#include "tensor/measured.cuh"
#include "tour/args.h"

static int strip, stay, turn, by_threads; /* of the product that is timed */

/* run a tile of the tuner */
template <class T>
static void tune_tile(RUNG_TAKES)
{
    struct product16 g = product16_of(RUNG_PASSES);

    g.strip = strip;
    g.turn = T::SPLIT == 1 ? turn : 0;
    g.by_threads = by_threads;
    launch_groups_as<T, 0, 1>(ta, tb, g, stay ? ladder.h.sms : 0, stream);
}

/* list the tiles of the tuner */
#define TILE(...)                                             \
    {                                                         \
#__VA_ARGS__, tune_tile < group_tile < __VA_ARGS__>>, \
            group_tile < __VA_ARGS__> ::SPLIT                 \
    }
static const struct {
    const char *name;
    rung_run run;
    int parts;
} candidates[] = {
    TILE(128, 256, 2, 4, 2),
#ifndef __LOOM__
    TILE(128, 256, 2, 4, 1), TILE(128, 256, 2, 3, 2), TILE(256, 128, 2, 4, 1),
    TILE(256, 128, 2, 4, 2), TILE(128, 192, 2, 4, 1), TILE(128, 128, 2, 6, 1),
    TILE(128, 128, 2, 6, 2), TILE(192, 128, 3, 4, 1), TILE(128, 64, 2, 8, 1),
    TILE(64, 128, 1, 8, 1), TILE(64, 128, 1, 8, 2), TILE(64, 256, 1, 5, 1),
    TILE(64, 192, 1, 6, 1), TILE(64, 64, 1, 12, 1), TILE(64, 64, 1, 6, 1),
    TILE(128, 64, 2, 4, 1), TILE(128, 64, 2, 8, -2),
    /* parts of a tile */
    TILE(128, 128, 2, 6, 1, 2), TILE(64, 128, 1, 8, 1, 2),
    TILE(64, 128, 1, 4, 1, 4), TILE(64, 256, 1, 4, 1, 2),
    TILE(64, 64, 1, 6, 1, 2),
#endif
    TILE(128, 64, 2, 2, 1), TILE(64, 64, 1, 2, 1, 2)};

enum { CANDIDATES = sizeof candidates / sizeof *candidates };

/* time a tile of the tuner */
static void run_tile(void *, int how, int set)
{
    measured_run(candidates[how].run, set);
}

static void time_tiles16(int n)
{
    static const int strips[] = {1, 2, 8, 16};
    char best[100] = "";
    double least = 1e300;

    measured_open(n);
    for (int t = 0; t < CANDIDATES; t++)
        for (int s = 0; s < 8; s++) {
            struct bench_case c = {candidates[t].name, run_tile, t};
            double us;

            strip = strips[s / 2];
            stay = s % 2;
            if (n < 2048 && s % 4 > 1) /* one round: no order */
                continue;
            if (candidates[t].parts > (n + 63) / 64) /* a part without a step */
                continue;
            c.rounds = n < 512 ? 1 : 9;
            if (s == 0)
                measured_check(&c);
            bench_measure(&c, 1, measured.sets);
            us = bench_us(&c);
            printf("%d: %s, strips of %d, %s: %.2f us, %.1f TFLOP/s\n", n,
                   candidates[t].name, strip, stay ? "stay" : "go", us,
                   2e-6 * n * n * n / us);
            if (us < least) {
                least = us;
                snprintf(best, sizeof best, "%s, strips of %d, %s",
                         candidates[t].name, strip, stay ? "stay" : "go");
            }
        }
    printf("%d: fastest is %s: %.2f us\n", n, best, least);
    CUDA_CHECK(cudaFree(measured.x));
}

int main(int argc, char **argv)
{
    static const int sizes[] = {512, 1024, 2048, 4096, 8192};
    struct arg args[] = {ARG_FLAG("--small"), ARG_NUMBER("--only", 0, 0, 8192),
                         ARG_NUMBER("--turn", 0, 0, 64), ARG_FLAG("--threads"),
                         ARG_FLAG("--choose")};

    args_parse(argc, argv, "tiles for products of bf16", args, ARG_COUNT(args));
    turn = (int)args[2].value;
    by_threads = (int)args[3].value;
    if (args[4].value) { /* what 132 and 40 SMs would choose, for the tests */
        for (int m = 64; m <= 16384; m = m * 3 / 2 + 8)
            for (int n = m; n <= 16384; n *= 2) {
                struct bgemm all = {}, few = {};

                all.sms = 132;
                few.sms = 40;
                printf("%d x %d: %d %d\n", m, n, bgemm_tile(&all, m, n),
                       bgemm_tile(&few, m, n));
            }
        return 0;
    }
    ladder.h = bgemm_make();
    if (!ladder.h.has_wgmma)
        return printf("nothing to tune: no wgmma here\n"), 0;
    if (args[0].value)
        time_tiles16(136);
    for (int i = 0; i < 5 && !args[0].value; i++)
        if (!args[1].value || args[1].value == sizes[i])
            time_tiles16(sizes[i]);
    return 0;
}

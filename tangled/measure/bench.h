/* bench.h: time variants of a kernel and their peer, side by side, and print
   rows of CSV. C11 and C++17; needs the CUDA runtime or Loom. */
#ifndef MEASURE_BENCH_H
#define MEASURE_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cuda_runtime.h>

#include "measure/stats.h"
#include "stack/cuda_check.h"
#include "tour/check.h"

/* choose how much to measure */
enum {
    BENCH_ROUNDS = 31, /* samples of each variant, unless it asks for less */
    BENCH_SAMPLE_US = 1000, /* a sample lasts at least about this long ... */
    BENCH_REPEAT = 1000     /* ... but is never more calls than this */
};

/* describe one variant */
/* One variant: what to run, and the times of it that bench_measure took. */
struct bench_case {
    const char *variant;
    void (*launch)(void *work, int set); /* queues one call on input `set` */
    void *work;
    void (*prepare)(void *work, int set); /* untimed, before a sample, or 0 */
    int rounds;                           /* samples wanted; 0: BENCH_ROUNDS */
    int repeat;                           /* calls in a sample, once chosen */
    double us[BENCH_ROUNDS];              /* microseconds of one call */
};

/* ask the device for a number */
static inline int bench_attribute(enum cudaDeviceAttr which)
{
    int device, value = 0;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

/* count the sets that outgrow the cache */
/* How many sets of `bytes` each to rotate through, so that two L2 caches'
   worth of other data is touched before a set comes round again. At least 2. */
static inline int bench_sets(size_t bytes)
{
    size_t sets, cache = (size_t)bench_attribute(cudaDevAttrL2CacheSize);

    CHECK(bytes > 0, "a set of inputs must have at least one byte");
    sets = 1 + (2 * cache + bytes - 1) / bytes;
    CHECK(sets <= 1 << 24, "%zu sets of %zu bytes are too many", sets, bytes);
    return sets < 2 ? 2 : (int)sets;
}

/* time one sample */
static cudaEvent_t bench_start, bench_stop;
static int bench_call; /* calls so far, by all variants: chooses the set */

/* Times c->repeat calls; returns microseconds per call. */
static inline double bench_sample(struct bench_case *c, int sets)
{
    float ms;

    if (c->prepare)
        c->prepare(c->work, bench_call % sets);
    CUDA_CHECK(cudaEventRecord(bench_start, 0));
    for (int i = 0; i < c->repeat; i++) {
        c->launch(c->work, bench_call % sets);
        bench_call++;
    }
    CUDA_CHECK(cudaEventRecord(bench_stop, 0));
    CUDA_CHECK(cudaEventSynchronize(bench_stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, bench_start, bench_stop));
    return 1e3 * ms / c->repeat;
}

/* warm up and choose the repeats */
static inline void bench_warm_up(struct bench_case *c, int sets)
{
    double us;

    CHECK(c->rounds >= 0 && c->rounds <= BENCH_ROUNDS,
          "%s asks for %d rounds; at most %d", c->variant, c->rounds,
          BENCH_ROUNDS);
    c->repeat = 1;
    us = bench_sample(c, sets);
    if (c->rounds == 0) {
        c->rounds = BENCH_ROUNDS;
        us = bench_sample(c, sets);
    }
    if (c->prepare)
        return;
    if (us * BENCH_REPEAT < BENCH_SAMPLE_US)
        c->repeat = BENCH_REPEAT;
    else if (us < BENCH_SAMPLE_US)
        c->repeat = (int)(BENCH_SAMPLE_US / us) + 1;
}

/* measure all variants in turn */
/* Measures cases[0..count) in turn over `sets` sets of inputs. Afterwards
   cases[k].us[0..rounds) holds microseconds per call, one for each round. */
static inline void bench_measure(struct bench_case *cases, int count, int sets)
{
    CHECK(count >= 1 && sets >= 1, "%d variants on %d sets", count, sets);
    CUDA_CHECK(cudaEventCreate(&bench_start));
    CUDA_CHECK(cudaEventCreate(&bench_stop));
    for (int k = 0; k < count; k++)
        bench_warm_up(&cases[k], sets);
    for (int round = 0; round < BENCH_ROUNDS; round++)
        for (int i = 0; i < count; i++) {
            struct bench_case *c = &cases[(round + i) % count];

            if (round < c->rounds)
                c->us[round] = bench_sample(c, sets);
        }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventDestroy(bench_start));
    CUDA_CHECK(cudaEventDestroy(bench_stop));
}

/* print the header of a file of results */
static const char *bench_chapter = "unknown";

static inline void bench_note(const char *key, const char *variable)
{
    const char *value = getenv(variable);

    printf("# %s: %s\n", key, value && *value ? value : "unknown");
}

/* say which card this is */
static inline void bench_card(void)
{
    struct cudaDeviceProp prop;
    int device;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&prop, device));
#ifdef __LOOM__
    printf("# gpu: loom (times are a CPU's: compare nothing with them)\n");
#else
    printf("# gpu: %s\n", prop.name);
#endif
    printf("# device: %d SMs, compute capability %d.%d, %d bytes of L2\n",
           prop.multiProcessorCount, prop.major, prop.minor,
           bench_attribute(cudaDevAttrL2CacheSize));
    printf("# clocks: SM up to %d MHz, memory up to %d MHz\n",
           bench_attribute(cudaDevAttrClockRate) / 1000,
           bench_attribute(cudaDevAttrMemoryClockRate) / 1000);
}

/* say which processor the host has */
static inline void bench_host(void)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[200], name[200] = "unknown";

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %199[^\n]", name) == 1)
            break;
    if (f)
        fclose(f);
    printf("# host: %s\n", name);
}

/* say which software and when */
static inline void bench_software(void)
{
    time_t now = time(NULL);
    char date[32];
    int driver = 0, runtime = 0;

    CUDA_CHECK(cudaDriverGetVersion(&driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    printf("# cuda: driver takes %d.%d, runtime is %d.%d\n", driver / 1000,
           driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    bench_note("driver", "BENCH_DRIVER");
    printf("# date: %s\n", date);
    bench_note("commit", "BENCH_COMMIT");
    bench_note("tangled", "BENCH_TANGLED");
}

/* Starts the results of a chapter: header lines, then the names of the
   columns. Call it once, before any row. */
static inline void bench_begin(const char *chapter)
{
    bench_chapter = chapter;
    printf("# chapter: %s\n", chapter);
    bench_card();
    bench_host();
    bench_software();
    printf("chapter,variant,size,metric,value,unit\n");
}

/* print rows */
/* Prints one row. Names must hold no comma; value must be a number. */
static inline void bench_row(const char *variant, long long size,
                             const char *metric, double value, const char *unit)
{
    CHECK(value == value, "%s@%lld:%s is not a number", variant, size, metric);
    printf("%s,%s,%lld,%s,%.6g,%s\n", bench_chapter, variant, size, metric,
           value, unit);
}

/* print what was measured of each variant */
/* Rows for measured cases: us (the median), us_q1, us_q3, ms (the median
   again), gbps (from bytes per call, when positive), and `share`, in percent of
   the peer's speed (when peer is set). */
static inline void bench_report(const struct bench_case *cases, int count,
                                long long size, double bytes,
                                const struct bench_case *peer,
                                const char *share)
{
    for (int k = 0; k < count; k++) {
        const struct bench_case *c = &cases[k];
        struct stats s = stats_of(c->us, c->rounds);

        bench_row(c->variant, size, "us", s.median, "µs");
        bench_row(c->variant, size, "us_q1", s.q1, "µs");
        bench_row(c->variant, size, "us_q3", s.q3, "µs");
        bench_row(c->variant, size, "ms", s.median / 1e3, "ms");
        if (bytes > 0)
            bench_row(c->variant, size, "gbps", bytes / s.median / 1e3, "GB/s");
        if (peer) {
            int n = c->rounds < peer->rounds ? c->rounds : peer->rounds;

            bench_row(c->variant, size, share,
                      100 * stats_ratio(peer->us, c->us, n), "%");
        }
    }
}

/* print the rate of operations */
/* Rows gflops for measured cases: `flops` operations per call (an addition,
   a multiplication or a comparison is one, a fused multiply-add two). */
static inline void bench_flops(const struct bench_case *cases, int count,
                               long long size, double flops)
{
    for (int k = 0; k < count; k++) {
        struct stats s = stats_of(cases[k].us, cases[k].rounds);

        bench_row(cases[k].variant, size, "gflops", flops / s.median / 1e3,
                  "GFLOP/s");
    }
}

#endif

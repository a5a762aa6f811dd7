/* bench.h: time variants of a kernel and their peer, side by side, and print
   rows of CSV. CUDA or Loom; nvcc wants -default-stream per-thread. */
#ifndef MEASURE_BENCH_H
#define MEASURE_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime.h>

#include "measure/clock.h"
#include "measure/stats.h"
#include "stack/cuda_check.h"
#include "tour/check.h"

/* choose how much to measure */
enum {
    BENCH_ROUNDS = 31, /* samples of each variant, unless it asks for less */
    BENCH_SAMPLE_US = 1000, /* a sample lasts at least about this long ... */
    BENCH_REPEAT = 1000,    /* ... but is never more calls than this */
    BENCH_WARM = 5,         /* more runs, which tell how long a call is ... */
    BENCH_SLOW_US = 10000,  /* ... unless one takes longer than this */
    BENCH_SHORT_US = 20,    /* with a shorter call, a comparison is in graphs */
    BENCH_LONG_US = 200     /* but for calls that are longer than this */
};

/* describe one variant */
/* A variant: what to run, and the times of it. What is 0 comes from the bench. */
struct bench_case {
    const char *variant;
    /* queues one call on input `set`, in the default stream */
    void (*launch)(void *work, int how, int set);
    int how;
    void *work;
    long long size;      /* what its rows have for a size */
    double bytes, flops; /* moved and done by one call: gbps, gflops */
    int rounds;          /* samples wanted; 0: BENCH_ROUNDS */
    int by_host;         /* 1: never in a graph, the launches are timed too */
    void (*prepare)(void *work, int how, int set); /* before a sample, or 0 */
    /* filled in by bench_run */
    double call, host;    /* microseconds of a single call, its launch */
    int in_graph, repeat; /* calls in a sample */
    cudaGraphExec_t graph;
    double us[BENCH_ROUNDS]; /* microseconds of one call, in each round */
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
/* How many sets of inputs to rotate through when a call reads `bytes` of one,
   so that two L2 caches' worth of others is read before it comes round again. */
static inline int bench_sets(size_t bytes)
{
    size_t sets, cache = (size_t)bench_attribute(cudaDevAttrL2CacheSize);

    CHECK(bytes > 0, "a set of inputs must have at least one byte");
    sets = 1 + (2 * cache + bytes - 1) / bytes;
    CHECK(sets <= 1 << 24, "%zu sets of %zu bytes are too many", sets, bytes);
    return sets < 2 ? 2 : (int)sets;
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

/* Starts the results of a chapter with its header. Call it once, before any
   row; bench_library may follow. */
static inline void bench_begin(const char *chapter)
{
    bench_chapter = chapter;
    printf("# chapter: %s\n", chapter);
    bench_card();
    bench_host();
    bench_software();
}

/* Names a library that is measured. A version is printed as it counts:
   130201, 100, 1 is 13.2.1 (cuBLAS's scheme: major x 10000, minor x 100). */
static inline void bench_library(const char *name, int version)
{
    printf("# library: %s %d.%d.%d\n", name, version / 10000,
           version / 100 % 100, version % 100);
}

/* print rows */
/* Prints one row. Names must hold no comma; value must be a number. */
static inline void bench_row(const char *variant, long long size,
                             const char *metric, double value, const char *unit)
{
    static int begun;

    CHECK(value == value, "%s@%lld:%s is not a number", variant, size, metric);
    if (!begun++)
        printf("chapter,variant,size,metric,value,unit\n");
    printf("%s,%s,%lld,%s,%.6g,%s\n", bench_chapter, variant, size, metric,
           value, unit);
}

/* print a median and its quartiles */
static inline void bench_spread(const char *variant, long long size,
                                const char *metric, struct stats s,
                                double scale, const char *unit)
{
    char name[64];

    bench_row(variant, size, metric, scale * s.median, unit);
    snprintf(name, sizeof name, "%s_q1", metric);
    bench_row(variant, size, name, scale * s.q1, unit);
    snprintf(name, sizeof name, "%s_q3", metric);
    bench_row(variant, size, name, scale * s.q3, unit);
}

/* time one sample */
static cudaEvent_t bench_start, bench_stop;
static int bench_call; /* calls so far, by all variants: chooses the set */
static double bench_launch_us; /* the host's, for a call */

static inline void bench_queue(struct bench_case *c, int sets)
{
    for (int i = 0; i < c->repeat; i++)
        c->launch(c->work, c->how, bench_call++ % sets);
}

/* Times c->repeat calls; returns microseconds per call. */
static inline double bench_sample(struct bench_case *c, int sets)
{
    double start;
    float ms;

    if (c->prepare)
        c->prepare(c->work, c->how, bench_call % sets);
    CUDA_CHECK(cudaEventRecord(bench_start, 0));
    start = clock_us();
    if (c->graph)
        CUDA_CHECK(cudaGraphLaunch(c->graph, 0));
    else
        bench_queue(c, sets);
    bench_launch_us = (clock_us() - start) / c->repeat;
    CUDA_CHECK(cudaEventRecord(bench_stop, 0));
    CUDA_CHECK(cudaEventSynchronize(bench_stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, bench_start, bench_stop));
    return 1e3 * ms / c->repeat;
}

/* warm up and choose the repeats */
static inline void bench_warm_up(struct bench_case *c, int sets)
{
    CHECK(c->rounds >= 0 && c->rounds <= BENCH_ROUNDS,
          "%s asks for %d rounds; at most %d", c->variant, c->rounds,
          BENCH_ROUNDS);
    if (c->rounds == 0)
        c->rounds = BENCH_ROUNDS;
    c->repeat = 1;
    for (int i = 0; i <= BENCH_WARM && (i == 0 || c->call < BENCH_SLOW_US);
         i++) {
        double us = bench_sample(c, sets);

        if (i == 0 || us < c->call)
            c->call = us;
        if (i == 0 || bench_launch_us < c->host)
            c->host = bench_launch_us;
    }
}

static inline void bench_repeat(struct bench_case *c, double us)
{
    c->repeat = 1;
    if (us * BENCH_REPEAT < BENCH_SAMPLE_US)
        c->repeat = BENCH_REPEAT;
    else if (us < BENCH_SAMPLE_US)
        c->repeat = (int)(BENCH_SAMPLE_US / us) + 1;
    if (c->prepare)
        c->repeat = 1;
}

/* treat alike what is compared */
static inline int bench_may(const struct bench_case *c)
{
    return !c->by_host && !c->prepare;
}

/* Is the time of this call perhaps the host's? */
static inline int bench_must(const struct bench_case *c)
{
    return bench_may(c) && (c->call < BENCH_SHORT_US || c->host > c->call / 2);
}

/* Says which variants go into graphs. */
static inline void bench_group(struct bench_case *cases, int count)
{
    int any = 0;

    for (int k = 0; k < count; k++)
        any |= bench_must(&cases[k]);
    for (int k = 0; k < count; k++)
        cases[k].in_graph =
            bench_must(&cases[k]) ||
            (any && bench_may(&cases[k]) && cases[k].call < BENCH_LONG_US);
}

/* put short calls into a graph */
static inline void bench_capture(struct bench_case *c, int sets)
{
#ifndef __LOOM__ /* whose calls wait for no host */
    cudaGraph_t graph;

    if (c->repeat < sets)
        c->repeat = sets;
    CUDA_CHECK(cudaStreamBeginCapture(cudaStreamPerThread,
                                      cudaStreamCaptureModeRelaxed));
    bench_queue(c, sets);
    CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph) == cudaSuccess,
          "%s cannot be put into a graph: say by_host", c->variant);
    if (c->graph)
        CUDA_CHECK(cudaGraphExecDestroy(c->graph));
    CUDA_CHECK(cudaGraphInstantiate(&c->graph, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    bench_sample(c, sets); /* the first launch uploads the graph */
#else
    (void)sets;
    c->in_graph = 0;
#endif
}

/* fill the samples */
static inline void bench_ready(struct bench_case *c, int sets)
{
    bench_repeat(c, c->call);
    if (c->in_graph) {
        bench_capture(c, sets);
        bench_repeat(c, bench_sample(c, sets));
        bench_capture(c, sets);
    }
}

/* measure all variants in turn */
/* Measures cases[0..count) in turn over `sets` sets of inputs: fills in us. */
static inline void bench_measure(struct bench_case *cases, int count, int sets)
{
    CHECK(count >= 1 && sets >= 1, "%d variants on %d sets", count, sets);
    CUDA_CHECK(cudaEventCreate(&bench_start));
    CUDA_CHECK(cudaEventCreate(&bench_stop));
    for (int k = 0; k < count; k++)
        bench_warm_up(&cases[k], sets);
    bench_group(cases, count);
    for (int k = 0; k < count; k++)
        bench_ready(&cases[k], sets);
    for (int round = 0; round < BENCH_ROUNDS; round++)
        for (int i = 0; i < count; i++) {
            struct bench_case *c = &cases[(round + i) % count];

            if (round < c->rounds)
                c->us[round] = bench_sample(c, sets);
        }
    for (int k = 0; k < count; k++)
        if (cases[k].graph) {
            CUDA_CHECK(cudaGraphExecDestroy(cases[k].graph));
            cases[k].graph = NULL;
        }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventDestroy(bench_start));
    CUDA_CHECK(cudaEventDestroy(bench_stop));
}

/* compare two variants */
/* Rows metric, metric_q1, metric_q3 of c: `scale` times the quotient of the
   peer's time and c's, round by round. Above `scale`: faster than the peer. */
static inline void bench_ratio(const struct bench_case *c,
                               const struct bench_case *peer,
                               const char *metric, double scale,
                               const char *unit)
{
    int n = c->rounds < peer->rounds ? c->rounds : peer->rounds;

    bench_spread(c->variant, c->size, metric, stats_ratio(peer->us, c->us, n),
                 scale, unit);
}

/* describe a comparison */
/* What the variants of a table have in common. */
struct bench {
    void *work;
    long long size;
    double bytes, flops;
    int sets;                                  /* of inputs; 0: 1 */
    void (*check)(const struct bench_case *c); /* launches and compares, or 0 */
    struct bench_peer {
        const char *variant, *metric; /* "copy", "of_copy" */
    } peer[2];                        /* or 0 */
};

/* measure a comparison and print its rows */

/* read the clock of the SMs */
#ifndef __LOOM__
__global__ void bench_count_cycles(unsigned long long ns, double *mhz)
{
    unsigned long long now, start;
    long long cycles = clock64();

    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - start < ns);
    *mhz = 1e3 * (double)(clock64() - cycles) / (double)(now - start);
}
#endif

/* A row mhz: the clock that the SMs run at now. */
static inline void bench_clock(const struct bench_case *c)
{
#ifndef __LOOM__
    double *mhz, got;

    CUDA_CHECK(cudaMalloc((void **)&mhz, sizeof *mhz));
    bench_count_cycles<<<1, 1>>>(200000, mhz);
    CUDA_CHECK(cudaMemcpy(&got, mhz, sizeof got, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(mhz));
    bench_row(c->variant, c->size, "mhz", got, "MHz");
#else
    (void)c;
#endif
}

/* print the rows of one variant */
/* The median of what was measured, in microseconds. */
static inline double bench_us(const struct bench_case *c)
{
    return stats_of(c->us, c->rounds).median;
}

static inline void bench_print(const struct bench_case *c,
                               const struct bench_case *cases, int count,
                               const struct bench *b)
{
    double us = bench_us(c);

    bench_spread(c->variant, c->size, "us", stats_of(c->us, c->rounds), 1,
                 "µs");
    bench_row(c->variant, c->size, "ms", us / 1e3, "ms");
    bench_row(c->variant, c->size, "in_graph", c->in_graph, "");
    if (c->bytes > 0)
        bench_row(c->variant, c->size, "gbps", c->bytes / us / 1e3, "GB/s");
    if (c->flops > 0)
        bench_row(c->variant, c->size, "gflops", c->flops / us / 1e3,
                  "GFLOP/s");
    for (int p = 0; p < 2 && b->peer[p].variant; p++)
        for (int k = 0; k < count; k++)
            if (!strcmp(cases[k].variant, b->peer[p].variant) &&
                cases[k].size == c->size)
                bench_ratio(c, &cases[k], b->peer[p].metric, 100, "%");
}

/* fill in what a variant left empty */
static inline void bench_fill_in(struct bench_case *c, const struct bench *b)
{
    c->work = c->work ? c->work : b->work;
    c->size = c->size ? c->size : b->size;
    c->bytes = c->bytes ? c->bytes : b->bytes;
    c->flops = c->flops ? c->flops : b->flops;
}

enum { BENCH_CASES = 200 };

/* Checks, measures and prints the variants of a table: us, us_q1, us_q3, ms
   and in_graph; gbps and gflops where bytes and flops are known (an addition, a
   multiplication or a comparison is one operation, a fused multiply-add two);
   shares of the peers with their quartiles; the first variant's mhz. Returns
   the variants with their times, good until the next call. */
static inline const struct bench_case *
bench_run(const struct bench_case *table, int count, const struct bench *b)
{
    static struct bench_case cases[BENCH_CASES];

    CHECK(count <= BENCH_CASES, "%d variants: room for %d", count, BENCH_CASES);
    for (int k = 0; k < count; k++) {
        cases[k] = table[k];
        bench_fill_in(&cases[k], b);
        if (b->check)
            b->check(&cases[k]);
    }
    bench_measure(cases, count, b->sets ? b->sets : 1);
    for (int k = 0; k < count; k++)
        bench_print(&cases[k], cases, count, b);
    bench_clock(&cases[0]);
    return cases;
}

#endif

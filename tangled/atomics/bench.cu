/* bench: histograms beside CUB's, contention, shared memory, sums, locks. */
#include <string.h>
#ifndef __LOOM__
#include <cub/device/device_histogram.cuh>
#endif

#include "atomics/count.cuh"
#include "atomics/histogram.cuh"
#include "atomics/lock.cuh"
#include "atomics/price.cuh"
#include "atomics/read.cuh"
#include "atomics/sums.cuh"
#include "atomics/versus.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* choose how much to measure */
#ifdef __LOOM__
enum { EACH = 1, CONTEND_BLOCKS = 2, MOST_BITS = 5, TURNS = 1 };
enum { LEAST = 9, MOST = 9, LOCKED = 64, SUMMED = 1 << 10, COUNTED = 1 << 12 };
#else
enum { EACH = 64, CONTEND_BLOCKS = 256, MOST_BITS = 20, TURNS = 64 };
enum { LEAST = 16, MOST = 28, LOCKED = 1 << 14, SUMMED = 1 << 24 };
enum { COUNTED = 1 << 20 };
#endif
#ifdef CUB_NEW
#define NEW "_new"
#else
#define NEW ""
#endif

/* count with the library */
#ifdef __LOOM__
enum { LIBRARIES = 0 };

static void count_by_library(size_t, const unsigned char *, unsigned *)
{
}
#else
enum { LIBRARIES = 1 };

static void count_by_library(size_t n, const unsigned char *in,
                             unsigned *counts)
{
    static void *scratch;
    static size_t bytes;
    int bins = BINS;

    if (scratch == NULL) {
        CUDA_CHECK(cub::DeviceHistogram::HistogramEven(
            NULL, bytes, in, counts, bins + 1, 0, bins, (int64_t)1 << MOST));
        CUDA_CHECK(cudaMalloc(&scratch, bytes));
    }
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(
        scratch, bytes, in, counts, bins + 1, 0, bins, (int64_t)n,
        cudaStreamPerThread));
}
#endif

/* measure the histograms */
enum { READER = HISTOGRAMS, LIBRARY, COUNTS = LIBRARY + LIBRARIES };

static struct {
    size_t n, stride;  /* sets of n bytes, `stride` apart */
    unsigned char *in; /* the first */
    unsigned *counts, want[BINS];
} h;

static void run_count(void *, int how, int set)
{
    const unsigned char *in = h.in + h.stride * (size_t)set;

    if (how < HISTOGRAMS)
        histogram(&histograms[how], h.n, in, h.counts, device_sms());
    else if (how == LIBRARY)
        count_by_library(h.n, in, h.counts);
    else
        read_run(h.n, in, device_sms(), h.counts);
}

static void check_count(const struct bench_case *c)
{
    unsigned got[BINS];

    CUDA_CHECK(cudaMemset(h.counts, 0xff, sizeof got));
    run_count(NULL, c->how, 0);
    to_host(got, h.counts, sizeof got);
    CHECK(c->how == READER || memcmp(got, h.want, sizeof got) == 0,
          "%s at %zu bytes is wrong", c->variant, h.n);
}
static void bench_histogram(enum kind kind, size_t n, size_t offset)
{
    static const char *const kinds[] = {"uniform", "equal", "runs", "two"};
    char names[COUNTS + 1][32], read[32], cub[32];
    struct bench_case table[COUNTS] = {};
    struct bench b = {NULL, (long long)n, (double)n};
    unsigned char *host, *d;

    b.sets = bench_sets(n) < 2048 ? bench_sets(n) : 2048;
    b.check = check_count;
    snprintf(read, sizeof read, "read_%s", kinds[kind]);
    snprintf(cub, sizeof cub, "cub" NEW "_%s", kinds[kind]);
    b.peer[0] = {read, "of_read"};
    b.peer[1] = {cub, "of_cub" NEW};
    for (int k = 0; k < HISTOGRAMS; k++) {
        snprintf(names[k], sizeof *names, "%s_%s", histograms[k].name,
                 kinds[kind]);
        table[k] = {names[k], run_count, k};
    }
    table[0].rounds = 5;
    table[HISTOGRAMS - 1].flops = kind == UNIFORM ? (double)n : 0;
    table[READER] = {read, run_count, READER};
    if (LIBRARIES)
        table[COUNTS - 1] = {cub, run_count, LIBRARY};
    /* make the sets of one kind of data */
    h.n = n;
    h.stride = n / 256 * 256 + 512;
    host = (unsigned char *)check_alloc(h.stride, 1);
    histogram_data(kind, n, 77, host + offset);
    histogram_reference(n, host + offset, h.want);
    CUDA_CHECK(cudaMalloc((void **)&d, h.stride * (size_t)b.sets));
    for (int s = 0; s < b.sets; s++)
        CUDA_CHECK(cudaMemcpy(d + h.stride * (size_t)s, host, h.stride,
                              cudaMemcpyHostToDevice));
    h.in = d + offset;
    h.counts = (unsigned *)to_device(NULL, BINS * sizeof *h.counts);
    bench_run(table, COUNTS, &b);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(h.counts));
    free(host);
}

/* measure the contention */
struct contended {
    unsigned bits, blocks, each, *d;
};

static void run_contend(void *work, int how, int)
{
    struct contended *w = (struct contended *)work;

    contenders[how]<<<w->blocks, 1024>>>(w->bits, w->each, w->d);
    CUDA_LAUNCH_CHECK();
}

static void check_contended(const struct bench_case *c)
{
    struct contended *w = (struct contended *)c->work;
    size_t bytes = sizeof(unsigned) << w->bits;
    unsigned *got = (unsigned *)check_alloc(1, bytes), sum = 0;

    CUDA_CHECK(cudaMemset(w->d, 0, bytes));
    run_contend(w, c->how, 0);
    to_host(got, w->d, bytes);
    for (unsigned a = 0; a < 1u << w->bits; a++)
        sum += counted(got[a], c->how / 2 == RED_FLOAT);
    CHECK(sum == 1024 * w->blocks * w->each, "%s: %u additions arrived",
          c->variant, sum);
    free(got);
}
static void bench_contention(void)
{
    enum { SIZES = MOST_BITS + 1, CASES = CONTENDERS * SIZES };
    static struct contended work[CASES];
    static struct bench_case table[CASES];
    const struct bench_case *c;
    struct bench b = {};
    unsigned *d = (unsigned *)to_device(NULL, sizeof *d << MOST_BITS);

    b.check = check_contended;
    for (int k = 0; k < CASES; k++) {
        unsigned bits = (unsigned)(k / CONTENDERS);
        int how = k % CONTENDERS, swap = how / 2 == SWAP;

        work[k] = {bits, CONTEND_BLOCKS, EACH, d};
        if (swap)
            work[k].each = 1;
        if (swap && bits < 11)
            work[k].blocks = bits < 6 ? 8 : 1u << (bits - 3);
        table[k] = {contender_names[how], run_contend, how, &work[k]};
        table[k].size = 1LL << bits;
        table[k].rounds = 7;
    }
    c = bench_run(table, CASES, &b);
    for (int k = 0; k < CASES; k++)
        bench_row(c[k].variant, c[k].size, "gops",
                  1.024 * work[k].blocks * work[k].each / bench_us(&c[k]),
                  "G/s");
    for (int k = 0; k < CASES; k += CONTENDERS) /* of neighbors */
        bench_ratio(&c[k], &c[0], "of_one", 1, "times");
    CUDA_CHECK(cudaFree(d));
}

/* measure the seven ways and the locks */
struct small_work {
    int n, *x; /* and behind the n numbers, a sum */
    struct guarded *d;
};

static void run_versus(void *work, int how, int)
{
    struct small_work *w = (struct small_work *)work;
    unsigned blocks = (unsigned)blocks_for((size_t)w->n, VERSUS_THREADS);

    sum_run((enum way)how, blocks, w->n, w->x);
}

static void run_lock(void *work, int how, int)
{
    struct small_work *w = (struct small_work *)work;

    record_run((enum recorder)how, w->n, w->x, w->d);
}

static void check_small(const struct bench_case *c)
{
    struct small_work *w = (struct small_work *)c->work;
    struct guarded got;
    unsigned sum, n = (unsigned)w->n;

    c->launch(w, c->how, 0);
    to_host(&got, w->d, sizeof got);
    to_host(&sum, w->x + n, sizeof sum);
    CHECK(c->launch == run_lock ? got.record.count == n : sum == n,
          "%s is wrong", c->variant);
}
static void bench_small(int count, const char *const *names, int n,
                        void (*launch)(void *, int, int))
{
    struct bench_case table[WAYS] = {};
    const struct bench_case *c;
    struct small_work w = {n, (int *)to_device(NULL, 4 * ((size_t)n + 1)),
                           (struct guarded *)to_device(NULL, sizeof *w.d)};
    struct bench b = {&w, n, 4.0 * n, 0, 1, check_small};

    CUDA_CHECK(cudaMemset(w.x, 0, 4 * (size_t)n));
    CUDA_CHECK(cudaMemset2D(w.x, 4, 1, 1, (size_t)n));
    for (int k = 0; k < count; k++) {
        table[k] = {names[k], launch, k};
        table[k].rounds = 9;
    }
    c = bench_run(table, count, &b);
    for (int k = 0; k < count; k++)
        bench_row(names[k], n, "ns", 1e3 * bench_us(&c[k]) / n, "ns");
    CUDA_CHECK(cudaFree(w.x));
    CUDA_CHECK(cudaFree(w.d));
}

/* measure the rest */
static void bench_shared(void)
{
    for (int op = 0; op < SHARED_OPS; op++)
        for (int p = 0; p < PATTERNS; p++)
            bench_row(shared_op_names[op], 1024, pattern_names[p],
                      shared_cycles((enum shared_op)op, (enum pattern)p, TURNS),
                      "cycles");
}

static void count_and_differ(unsigned n, int runs)
{
    struct sums s = add_again((int)n, runs, 5);

    bench_row("plain", n, "arrived", count_with(count_plain, n), "count");
    bench_row("mixed", n, "arrived", count_with(count_mixed, n), "count");
    bench_row("float_sum", n, "different", s.floats, "count");
    bench_row("float_sum", n, "runs", runs, "count");
    bench_row("float_sum", n, "spread", s.spread, "count");
    bench_row("fixed_sum", n, "different", s.fixed, "count");
}

/* measure everything */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", MOST, 8, MOST)};
    int most;

    args_parse(argc, argv, "atomics", args, ARG_COUNT(args));
    most = (int)args[0].value;
    bench_begin("atomics");
#ifdef CUB_VERSION /* 300100 is 3.1.0 */
    bench_library("CUB" NEW, CUB_VERSION / 100000 * 10000 +
                                 CUB_VERSION / 100 % 1000 * 100 +
                                 CUB_VERSION % 100);
#endif
    for (int kind = UNIFORM; kind <= TWO; kind++)
        for (int p = kind < RUNS && most > LEAST ? LEAST : most; p <= most;
             p += 4)
            bench_histogram((enum kind)kind, (size_t)1 << p, 0);
    bench_histogram(UNIFORM, ((size_t)1 << most) - 77, 3);
    bench_histogram(EQUAL, ((size_t)1 << most) - 77, 3);
    if (*NEW) /* only what stands beside CUB */
        return 0;
    bench_contention();
    bench_shared();
    bench_small(WAYS, way_names, SUMMED, run_versus);
    bench_small(RECORDERS, recorder_names, LOCKED, run_lock);
    count_and_differ(COUNTED, 20);
    return 0;
}

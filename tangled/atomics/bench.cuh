/* bench.cuh: the benchmark of this chapter; bench.cu adds CUB to it. */
#ifndef ATOMICS_BENCH_CUH
#define ATOMICS_BENCH_CUH

#include <string.h>

#include "atomics/count.cuh"
#include "atomics/histogram.cuh"
#include "atomics/lock.cuh"
#include "atomics/price.cuh"
#include "atomics/sums.cuh"
#include "atomics/versus.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* choose how much to measure */
#ifdef __LOOM__
enum { EACH = 1, CONTEND_ROUNDS = 1, CONTEND_BLOCKS = 2, ADDRESSES = 5 };
enum { LEAST = 9, MOST = 9, LOCKED = 64, SUMMED = 1 << 10, COUNTED = 1 << 12 };
enum { TURNS = 1 };
#else
enum { EACH = 16, CONTEND_ROUNDS = 7, CONTEND_BLOCKS = 256, ADDRESSES = 20 };
enum { LEAST = 20, MOST = 28, LOCKED = 1 << 14, SUMMED = 1 << 24 };
enum { COUNTED = 1 << 20, TURNS = 64 };
#endif

/* list what is measured */
enum { MOST_CASES = 16 };

static struct bench_case cases[MOST_CASES];

/* cases[k] := launch on the k-th of `count` works of `size` bytes. */
static void list_cases(int count, const char *const *names, int rounds,
                       void (*launch)(void *work, int set), void *works,
                       size_t size)
{
    CHECK(count <= MOST_CASES, "%d cases: room for %d", count, MOST_CASES);
    memset(cases, 0, sizeof cases);
    for (int k = 0; k < count; k++) {
        cases[k].variant = names[k];
        cases[k].launch = launch;
        cases[k].work = (char *)works + (size_t)k * size;
        cases[k].rounds = rounds;
    }
}

/* measure the histograms */
struct count_work {
    const struct histogram *how; /* NULL: call `other` instead */
    void (*other)(struct count_work *w, const unsigned char *in);
    size_t n, stride;
    unsigned char *in; /* inputs of n bytes, `stride` apart */
    unsigned *counts;
};

static void run_count(void *work, int set)
{
    struct count_work *w = (struct count_work *)work;
    const unsigned char *in = w->in + w->stride * (size_t)set;

    if (w->how)
        histogram(w->how, w->n, in, w->counts, device_sms());
    else
        w->other(w, in);
}
__global__ void __launch_bounds__(1024, 2)
    read_only(size_t n, const uint4 *in, unsigned *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned all = 0;

    for (; i + step < n / 16; i += 2 * step) {
        uint4 x = __ldcs(&in[i]), y = __ldcs(&in[i + step]);

        all ^= x.x ^ x.y ^ x.z ^ x.w ^ y.x ^ y.y ^ y.z ^ y.w;
    }
    if (i < n / 16)
        all ^= in[i].x ^ in[i].y ^ in[i].z ^ in[i].w;
    if (all == 0x12345678u)
        out[0] = all;
}

static void run_read(struct count_work *w, const unsigned char *in)
{
    read_only<<<2 * (unsigned)device_sms(), 1024>>>(
        w->n, (const uint4 *)(in - (size_t)in % 16), w->counts);
    CUDA_LAUNCH_CHECK();
}
static void (*peer)(struct count_work *w, const unsigned char *in);

enum { FIRST = 2, COUNTS = FIRST + HISTOGRAMS }; /* reader, peer, ours */

/* Names the cases of a kind of data. */
static const char *const *count_names(enum kind kind)
{
    static const char *const kinds[] = {"uniform", "equal", "runs", "two"};
    static char text[COUNTS][32];
    static const char *names[COUNTS];

    for (int k = 0; k < COUNTS; k++) {
        snprintf(text[k], sizeof text[k], "%s_%s",
                 k == 0      ? "read"
                 : k < FIRST ? "cub"
                             : histograms[k - FIRST].name,
                 kinds[kind]);
        names[k] = text[k];
    }
    return names;
}
static void bench_histogram(enum kind kind, size_t n, size_t offset)
{
    struct count_work work[COUNTS];
    unsigned got[BINS], want[BINS];
    size_t stride = n / 256 * 256 + 512;
    int sets = bench_sets(n) < 256 ? bench_sets(n) : 256;
    unsigned char *h = (unsigned char *)check_alloc(stride, 1), *d;
    unsigned *d_counts = (unsigned *)to_device(NULL, BINS * sizeof *d_counts);

    histogram_data(kind, n, 77, h + offset);
    CUDA_CHECK(cudaMalloc((void **)&d, stride * (size_t)sets));
    for (int s = 0; s < sets; s++)
        CUDA_CHECK(cudaMemcpy(d + stride * (size_t)s, h, stride,
                              cudaMemcpyHostToDevice));
    /* list readers and counters */
    for (int k = 0; k < COUNTS; k++) {
        struct count_work *w = &work[k];

        w->how = k < FIRST ? NULL : &histograms[k - FIRST];
        w->other = k == 1 && peer ? peer : run_read;
        w->n = n;
        w->stride = stride;
        w->in = d + offset;
        w->counts = d_counts;
    }
    /* measure and check one kind of data */
    list_cases(COUNTS, count_names(kind), 0, run_count, work, sizeof *work);
    cases[FIRST].rounds = 5;
    bench_measure(cases, COUNTS, sets);
    bench_report(cases, COUNTS, (long long)n, (double)n, &cases[1], "of_cub");
    bench_flops(&cases[COUNTS - 1], kind == UNIFORM, (long long)n, (double)n);
    for (int k = 0; k < COUNTS; k++)
        bench_row(cases[k].variant, (long long)n, "of_read",
                  100 * stats_ratio(cases[0].us, cases[k].us, cases[k].rounds),
                  "%");
    histogram_reference(n, h + offset, want);
    for (int k = peer ? 1 : FIRST; k < COUNTS; k++) {
        CUDA_CHECK(cudaMemset(d_counts, 0xff, sizeof got));
        run_count(&work[k], sets - 1);
        to_host(got, d_counts, sizeof got);
        CHECK(memcmp(got, want, sizeof got) == 0, "%s at %zu bytes is wrong",
              cases[k].variant, n);
    }
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_counts));
    free(h);
}

/* measure the contention */
struct contend_work {
    enum how how;
    enum where where;
    unsigned bits, blocks, each, *d;
};

static void run_contend(void *work, int set)
{
    struct contend_work *w = (struct contend_work *)work;

    (void)set;
    contend<<<w->blocks, 1024>>>(w->how, w->where, w->bits, w->each, w->d);
    CUDA_LAUNCH_CHECK();
}

/* Once more from 0: has every addition arrived? */
static void check_contention(struct contend_work *w)
{
    size_t bytes = sizeof(unsigned) << w->bits;
    unsigned *h = (unsigned *)check_alloc(1, bytes), sum = 0;

    CUDA_CHECK(cudaMemset(w->d, 0, bytes));
    run_contend(w, 0);
    to_host(h, w->d, bytes);
    for (unsigned a = 0; a < 1u << w->bits; a++)
        sum += counted(h[a], w->how == RED_FLOAT);
    CHECK(sum == 1024 * w->blocks * w->each, "%u additions arrived", sum);
    free(h);
}
static void bench_contention(unsigned bits)
{
    static const char *const names[] = {
        "red_row",   "red_random",   "atom_row", "atom_random",
        "float_row", "float_random", "swap_row", "swap_random"};
    struct contend_work work[2 * HOWS];
    unsigned *d = (unsigned *)to_device(NULL, sizeof *d << bits);

    /* choose how and where */
    for (int k = 0; k < 2 * HOWS; k++) {
        int slow = k / 2 == SWAP;
        struct contend_work *w = &work[k];

        w->how = (enum how)(k / 2);
        w->where = (enum where)(k % 2);
        w->bits = bits;
        w->blocks = CONTEND_BLOCKS;
        if (slow && bits < 11)
            w->blocks = bits < 6 ? 8 : 1u << (bits - 3);
        w->each = slow ? 1 : EACH;
        w->d = d;
    }
    list_cases(2 * HOWS, names, CONTEND_ROUNDS, run_contend, work,
               sizeof *work);
    bench_measure(cases, 2 * HOWS, 1);
    for (int k = 0; k < 2 * HOWS; k++)
        bench_row(names[k], 1LL << bits, "gops",
                  1024.0 * work[k].blocks * work[k].each / 1e3 /
                      stats_of(cases[k].us, cases[k].rounds).median,
                  "G/s");
    for (int k = 0; k < 2 * HOWS; k++)
        check_contention(&work[k]);
    CUDA_CHECK(cudaFree(d));
}

/* measure the seven ways and the locks */
struct small_work {
    int how, n, *x;
    struct guarded *d;
};

static void run_versus(void *work, int set)
{
    struct small_work *w = (struct small_work *)work;
    unsigned blocks = (unsigned)blocks_for((size_t)w->n, VERSUS_THREADS);

    (void)set;
    sum_run((enum way)w->how, blocks, w->n, w->x);
}

static void run_lock(void *work, int set)
{
    struct small_work *w = (struct small_work *)work;

    (void)set;
    record_run((enum recorder)w->how, w->n, w->x, w->d);
}
static void bench_small(int count, const char *const *names, int n,
                        void (*launch)(void *, int))
{
    struct small_work work[MOST_CASES];
    struct guarded got, *d = (struct guarded *)to_device(NULL, sizeof *d);
    int *x = (int *)to_device(NULL, ((size_t)n + 1) * sizeof *x), total;

    CUDA_CHECK(cudaMemset(x, 1, (size_t)n * sizeof *x));
    for (int k = 0; k < count; k++) {
        struct small_work w = {k, n, x, d};

        work[k] = w;
    }
    list_cases(count, names, 9, launch, work, sizeof *work);
    bench_measure(cases, count, 1);
    bench_report(cases, count, n, 4.0 * n, NULL, NULL);
    for (int k = 0; k < count; k++) {
        bench_row(names[k], n, "ns",
                  1e3 * stats_of(cases[k].us, cases[k].rounds).median / n,
                  "ns");
        launch(&work[k], 0);
        to_host(&got, d, sizeof got);
        to_host(&total, x + n, sizeof total);
        CHECK(launch == run_lock ? got.record.count == (unsigned)n
                                 : (unsigned)total == 0x01010101u * (unsigned)n,
              "%s is wrong", names[k]);
    }
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(d));
}

/* measure the rest */
static void bench_shared(int turns)
{
    for (int op = 0; op < SHARED_OPS; op++)
        for (int p = 0; p < PATTERNS; p++)
            bench_row(shared_op_names[op], 1024, pattern_names[p],
                      shared_cycles((enum shared_op)op, (enum pattern)p, turns),
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
static void bench_all(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", MOST, 8, MOST)};
    int most;

    args_parse(argc, argv, "atomics", args, ARG_COUNT(args));
    most = (int)args[0].value;
    bench_begin("atomics");
    for (int kind = UNIFORM; kind <= TWO; kind++)
        for (int p = kind < RUNS && most > LEAST ? LEAST : most; p <= most;
             p += 4)
            bench_histogram((enum kind)kind, (size_t)1 << p, 0);
    bench_histogram(UNIFORM, ((size_t)1 << most) - 77, 3);
    bench_histogram(EQUAL, ((size_t)1 << most) - 77, 3);
    for (unsigned bits = 0; bits <= ADDRESSES; bits++)
        bench_contention(bits);
    bench_shared(TURNS);
    bench_small(WAYS, way_names, SUMMED, run_versus);
    bench_small(RECORDERS, recorder_names, LOCKED, run_lock);
    count_and_differ(COUNTED, 20);
}

#endif

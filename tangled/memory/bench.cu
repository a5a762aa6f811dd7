/* bench: the memories, copies, and transposes beside cuBLAS. */
#include <cublas_v2.h>

#include "measure/bench.h"
#include "memory/bulk.cuh"
#include "memory/copy.cuh"
#include "memory/probes.cuh"
#include "memory/transpose.cuh"
#include "tour/args.h"

#ifdef __LOOM__
enum { SMALL = 1 };
#else
enum { SMALL = 0 };
#endif

/* count what is wrong */
/* x begins at element `at` of the array of this seed; copies read every
   `step`-th element, or from -step places. */
__global__ void count_wrong(int kind, size_t n, size_t rows, size_t cols,
                            long long step, uint64_t seed, size_t at,
                            const float *y, unsigned *wrong)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        size_t from = step > 0 ? i * step : 16 * line_after(i, -step);
        float want = 0;

        if (kind == TURNED)
            from = i % rows * cols + i / rows;
        if (kind != BOXED)
            want = small_at(seed, at + from);
        for (int d = -RADIUS; kind == BOXED && d <= RADIUS; d++)
            want += i + d < n ? small_at(seed, at + i + d) : 0;
        if (!(y[i] == want))
            atomicAdd(wrong, 1);
    }
}

static void expect_none(const unsigned *d_wrong, const char *variant,
                        long long size)
{
    unsigned wrong;

    CUDA_CHECK(
        cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    CHECK(wrong == 0, "%s@%lld: %u elements are wrong", variant, size, wrong);
}

/* move the arrays of a set */
enum { MOVES_MOST = 2 + COPIES + TRANSPOSES };

struct moves {
    struct move list[MOVES_MOST];
    int rows, cols, shift;
    size_t n;
    uint64_t seed;
    float *d_x, *d_y; /* n floats for each set, and a few between */
    unsigned *d_wrong;
};

static size_t set_at(const struct moves *m, int set)
{
    return (m->n + 66) / 64 * 64 * (size_t)set + m->shift;
}

static void run_move(void *work, int how, int set)
{
    struct moves *m = (struct moves *)work;
    size_t at = set_at(m, set);

    m->list[how].launch(m->rows, m->cols, m->d_x + at, m->d_y + at + m->shift);
    CUDA_LAUNCH_CHECK();
}

/* check a move in the same run */
static void check_move(const struct bench_case *c)
{
    struct moves *m = (struct moves *)c->work;
    size_t at = set_at(m, 1);
    float *y = m->d_y + at + m->shift;

    CUDA_CHECK(cudaMemset(m->d_wrong, 0, sizeof *m->d_wrong));
    CUDA_CHECK(cudaMemset(y, 0xff, m->n * sizeof(float)));
    run_move(m, c->how, 1);
    count_wrong<<<1056, 256>>>(m->list[c->how].kind, m->n, (size_t)m->rows,
                               (size_t)m->cols, 1, m->seed, at, y, m->d_wrong);
    CUDA_LAUNCH_CHECK();
    expect_none(m->d_wrong, c->variant, c->size);
}

/* transpose with cublas */
static cublasHandle_t cublas;

static void launch_geam(int rows, int cols, const float *x, float *y)
{
    const float one = 1, zero = 0;

    CHECK(cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, x,
                      cols, &zero, y, rows, y, rows) == CUBLAS_STATUS_SUCCESS,
          "cublasSgeam refuses %d x %d", rows, cols);
}

/* measure moves side by side */
static void launch_memcpy(int rows, int cols, const float *x, float *y)
{
    CUDA_CHECK(cudaMemcpyAsync(y, x, (size_t)rows * cols * sizeof *y,
                               cudaMemcpyDeviceToDevice, 0));
}

/* Measures the first `count` moves of m's list, and again, shifted, those with
   an entry in `shifted`. */
static void bench_moves(struct moves *m, int count, const char *metric,
                        const char *const *shifted)
{
    struct bench_case table[MOVES_MOST];
    struct bench b = {m, (long long)m->rows * m->cols};
    struct moves late;
    int lines = 0;

    m->n = (size_t)b.size;
    b.bytes = 8.0 * m->n;
    b.flops = m->list[count - 1].kind == BOXED ? 9.0 * m->n : 0;
    b.sets = bench_sets(4 * m->n);
    b.check = check_move;
    b.peer[0] = {"memcpy", metric};
    m->d_x = small_floats((m->n + 66) * (size_t)b.sets, m->seed);
    m->d_y = small_floats((m->n + 66) * (size_t)b.sets, m->seed + 1);
    CUDA_CHECK(cudaMalloc((void **)&m->d_wrong, sizeof *m->d_wrong));
    for (int k = 0; k < count; k++)
        table[lines++] = {m->list[k].name, run_move, k};
    late = *m;
    late.shift = 1;
    for (int k = 0; shifted && k < count; k++)
        table[lines++] = {shifted[k], run_move, k, &late};
    bench_run(table, lines, &b);
    CUDA_CHECK(cudaFree(m->d_x));
    CUDA_CHECK(cudaFree(m->d_y));
    CUDA_CHECK(cudaFree(m->d_wrong));
}

/* list the moves to measure */
static void bench_matrix(int rows, int cols, uint64_t seed)
{
    struct moves m = {
        {{"memcpy", launch_memcpy, COPIED}, {"geam", launch_geam, TURNED}},
        rows,
        cols,
        0,
        0,
        seed};

    memcpy(m.list + 2, copies, sizeof copies);
    memcpy(m.list + 2 + COPIES, transposes, sizeof transposes);
    bench_moves(&m, MOVES_MOST, "of_copy", NULL);
}

static void bench_shifted(int n, uint64_t seed)
{
    static const char *const shifted[] = {
        "memcpy_shifted", "copy_float_shifted", "copy_4_floats_shifted"};
    struct moves m = {{{"memcpy", launch_memcpy, COPIED}, copies[0], copies[1]},
                      1,
                      n,
                      0,
                      0,
                      seed};

    bench_moves(&m, 3, "of_copy", shifted);
}

static void bench_boxes(int n, uint64_t seed)
{
    struct moves m = {{{"memcpy", launch_memcpy, COPIED}}, 1, n, 0, 0, seed};

    memcpy(m.list + 1, boxes, sizeof boxes);
    memcpy(m.list + 1 + BOXES, bulks, sizeof bulks);
    bench_moves(&m, 1 + BOXES + bulks_here(), "of_memcpy", NULL);
}

/* measure all rungs */
static void run_sending(void *work, int, int)
{
    struct rung *r = (struct rung *)work;

    CUDA_CHECK(cudaMemcpyAsync(r->d_sums, r->d_x, 16 * (r->mask + 1),
                               cudaMemcpyHostToDevice, 0));
}

static void check_rung_case(const struct bench_case *c)
{
    struct rung *r = (struct rung *)c->work;

    if (c->launch == run_rung)
        check_rung(r, 1 + r->blocks * r->threads / 32 / 16);
}

static void bench_rungs(int small, uint64_t seed)
{
    int sms = small ? 2 : bench_attribute(cudaDevAttrMultiProcessorCount);
    int wide = small ? 4 : 1 << 13;
    double mhz = bench_attribute(cudaDevAttrClockRate) / 1e3;
    double memory = bench_attribute(cudaDevAttrMemoryClockRate) / 1e3;
    double bits = bench_attribute(cudaDevAttrGlobalMemoryBusWidth);
    double sm = peak_sms(sms, mhz, SHARED_BYTES);
    struct rung rungs[] = {
        {"registers", 8 * sms, 256, small ? 50 : 4096, 0},
        {"l1", 8 * sms, 256, small ? 50 : 4096, 1023},
        {"shared", 6 * sms, 256, small ? 50 : 4096, SHARED_VECTORS - 1},
        {"l2", 4 * sms, 256, small ? 2 : 512, (1u << (small ? 10 : 20)) - 1},
        {"memory", wide, 256, 8, 8 * 1024u * (unsigned)wide - 1},
        {"to_device", 0, 0, 0, (1u << (small ? 12 : 24)) - 1}};
    double peaks[] = {peak_sms(sms, mhz, REGISTER_BYTES),
                      sm,
                      sm,
                      0,
                      peak_dram(memory, bits),
                      peak_pcie(32, 16)};
    struct bench_case table[6] = {};
    struct bench b = {NULL};

    for (int k = 0; k < 5; k++) {
        struct rung *r = &rungs[k];

        r->seed = seed;
        r->d_x = small_floats(
            4 * ((size_t)r->mask + 1) * (k == 1 ? 8 * (size_t)sms : 1), seed);
        CUDA_CHECK(cudaMalloc((void **)&r->d_sums, r->blocks * 256 / 8));
        table[k] = {r->name, run_rung, 0, r, 0, rung_bytes(r)};
    }
    CUDA_CHECK(
        cudaMallocHost((void **)&rungs[5].d_x, 16 * (rungs[5].mask + 1)));
    CUDA_CHECK(cudaMalloc((void **)&rungs[5].d_sums, 16 * (rungs[5].mask + 1)));
    memset(rungs[5].d_x, 1, 16 * (rungs[5].mask + 1));
    table[5] = {"to_device", run_sending, 0,
                &rungs[5],   0,           16.0 * (rungs[5].mask + 1)};
    b.check = check_rung_case;
    /* measure the rungs and print their shares */
    const struct bench_case *c = bench_run(table, 6, &b);

    for (int k = 0; k < 6; k++) {
        double rate = 1e6 * c[k].bytes / bench_us(&c[k]);

        bench_row(c[k].variant, 0, "tbps", rate / 1e12, "TB/s");
        if (peaks[k] > 0)
            bench_row(c[k].variant, 0, "of_peak", 100 * rate / peaks[k], "%");
    }
    for (int k = 0; k < 5; k++) {
        CUDA_CHECK(cudaFree(rungs[k].d_x));
        CUDA_CHECK(cudaFree(rungs[k].d_sums));
    }
    CUDA_CHECK(cudaFreeHost(rungs[5].d_x));
    CUDA_CHECK(cudaFree(rungs[5].d_sums));
}

/* measure latencies */
static void bench_latencies(int most, int hops, int rounds)
{
    static const char *const names[] = {"one", "issued", "together", "chained",
                                        "stored"};
    struct stats spent[TIMES];
    double shared[TRIPS];

    for (int e = 12; e <= most; e++)
        for (int three = 2; three <= 3; three++) {
            size_t lines = (size_t)three << (e - 1 - 7);
            long long bytes = (long long)(lines * sizeof(struct line));
            struct hop hop = chase(lines, hops, rounds);

            bench_spread("chase", bytes, "cycles", hop.cycles, 1, "cycles");
            bench_spread("chase", bytes, "ns", hop.ns, 1, "ns");
        }
    for (int t = 0; t < rounds; t++)
        shared[t] = chase_in_shared(hops);
    bench_spread("chase_shared", 0, "cycles", stats_of(shared, rounds), 1,
                 "cycles");
    run_loads(rounds, spent);
    for (int k = 0; k < TIMES; k++)
        bench_spread(names[k], LOADS, "cycles", spent[k], 1, "cycles");
}

/* measure strides */
struct strided {
    int n;
    long long step; /* the stride, or less 0: that many places */
    uint64_t seed;
    float *d_x, *d_y; /* 64 n and sets * n */
    unsigned *d_wrong;
};

static size_t strided_at(const struct strided *s, int set)
{
    return s->step < 0 ? 0 : (size_t)set * s->n * s->step % (64ull * s->n);
}

static void run_stride(void *work, int, int set)
{
    struct strided *s = (struct strided *)work;
    float *x = s->d_x + strided_at(s, set), *y = s->d_y + (size_t)s->n * set;
    int blocks = blocks_for(s->n, 1024);

    if (s->step < 0)
        read_scattered<<<blocks, 256>>>(s->n, -s->step, x, y);
    else
        read_strided<<<blocks, 256>>>(s->n, (int)s->step, 0, x, y);
}

static void check_stride(const struct bench_case *c)
{
    struct strided *s = (struct strided *)c->work;

    CUDA_CHECK(cudaMemset(s->d_wrong, 0, sizeof *s->d_wrong));
    run_stride(s, 0, 1);
    count_wrong<<<1056, 256>>>(COPIED, s->n, 1, s->n, s->step, s->seed,
                               strided_at(s, 1), s->d_y + s->n, s->d_wrong);
    CUDA_LAUNCH_CHECK();
    expect_none(s->d_wrong, c->variant, c->size);
}

/* ask for a granularity */
/* Returns the bytes that L2 fetches at most, after asking for `fetch`. */
static size_t ask_to_fetch(size_t fetch)
{
    size_t got = 0;

#ifndef __LOOM__
    if (fetch)
        CUDA_CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, fetch));
    CUDA_CHECK(cudaDeviceGetLimit(&got, cudaLimitMaxL2FetchGranularity));
#else
    (void)fetch;
#endif
    return got;
}

/* measure strides with a granularity */
static void bench_strides(const char *name, size_t fetch, int n, uint64_t seed)
{
    enum { STRIDES = 7, ALL = 10 };
    const long long steps[ALL] = {1, 2, 4, 8, 16, 32, 64, -4ll * n, -n, -n / 4};
    int sets = bench_sets(4 * (size_t)n), count = fetch ? STRIDES : ALL;
    struct strided s[ALL] = {{n, 1, seed, small_floats(64 * (size_t)n, seed),
                              small_floats((size_t)n * sets, seed + 1)}};
    struct bench_case table[ALL];
    struct bench b = {NULL, 0, 8.0 * n, 0, sets, check_stride};
    const struct bench_case *c;

    bench_row(name, 0, "fetch", (double)ask_to_fetch(fetch), "B");
    CUDA_CHECK(cudaMalloc((void **)&s[0].d_wrong, sizeof(unsigned)));
    for (int k = 0; k < count; k++) {
        s[k] = s[0];
        s[k].step = steps[k];
        table[k] = {k < STRIDES ? name : "scattered", run_stride, 0, &s[k],
                    k < STRIDES ? steps[k] : -64 * steps[k]};
    }
    c = bench_run(table, count, &b);
    for (int k = 0; k < count; k++) {
        bench_spread(c[k].variant, c[k].size, "times",
                     stats_ratio(c[k].us, c[0].us, c[k].rounds), 1, "times");
        if (!fetch && k < STRIDES)
            bench_row("predicted", 1 << k, "times",
                      (predict_sectors(0, 4 << k, 4, 32) + 4) / 8.0, "times");
    }
    CUDA_CHECK(cudaFree(s[0].d_x));
    CUDA_CHECK(cudaFree(s[0].d_y));
    CUDA_CHECK(cudaFree(s[0].d_wrong));
}

/* measure banks */
static void bench_banks(int turns, uint64_t seed)
{
    static const int strides[] = {0, 1, 2, 3, 4, 8, 16, 32, 33};

    for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
        int s = strides[k];

        bench_row("passes4", s, "request", predict_passes(4, s), "cycles");
        bench_row("bank4", s, "request", run_banks<float>(s, 32, turns, seed),
                  "cycles");
        bench_row("passes8", s, "request", predict_passes(8, s), "cycles");
        bench_row("bank8", s, "request", run_banks<float2>(s, 32, turns, seed),
                  "cycles");
        bench_row("passes16", s, "request", predict_passes(16, s), "cycles");
        bench_row("bank16", s, "request", run_banks<float4>(s, 32, turns, seed),
                  "cycles");
    }
}

/* measure local memory and the tables */
static void check_probe(const struct bench_case *c)
{
    if (c->launch == run_digits)
        check_digits((struct digits *)c->work, c->how);
    else
        check_look_up((struct tables *)c->work);
}

static void bench_digits(int blocks, int words, uint64_t seed)
{
    struct digits d[2] = {digits_new(blocks, words, 0, seed),
                          digits_new(blocks, words, 1, seed)};
    struct bench_case table[] = {{"by_index", run_digits, 0, &d[0]},
                                 {"by_asking", run_digits, 1, &d[0]},
                                 {"by_index_alike", run_digits, 0, &d[1]},
                                 {"by_asking_alike", run_digits, 1, &d[1]}};
    struct bench b = {NULL, words, 0, 0, 1, check_probe};

    b.peer[0] = {"by_asking", "of_asking"};
    b.peer[1] = {"by_index", "of_index"};
    bench_run(table, 4, &b);
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaFree(d[k].x));
        CUDA_CHECK(cudaFree(d[k].counts));
    }
}

static void bench_tables(int blocks, int turns, uint64_t seed)
{
    static const char *const names[] = {"global_same", "global_apart",
                                        "constant_same", "constant_apart"};
    struct tables t[4] = {tables_new(blocks, turns, seed)};
    struct bench_case table[4];
    struct bench b = {NULL, turns, 0, 0, 1, check_probe};

    for (int k = 0; k < 4; k++) {
        t[k] = t[0];
        t[k].constant = k / 2;
        t[k].spread = k % 2;
        table[k] = {names[k], look_up, 0, &t[k]};
    }
    b.peer[0] = {"global_same", "of_global"};
    b.peer[1] = {"constant_same", "of_constant"};
    bench_run(table, 4, &b);
    tables_free(&t[0]);
}

/* measure everything */
static void bench_all(int small, uint64_t seed)
{
    static const int shapes[][2] = {
        {64, 64},       {61, 67},       {256, 256},    {1021, 1031},
        {1024, 1024},   {4096, 4096},   {4093, 4099},  {16384, 16384},
        {16384, 16411}, {16381, 16384}, {16381, 16411}};

    bench_rungs(small, seed);
    bench_latencies(small ? 14 : 32, small ? 100 : 8192, small ? 3 : TRIPS);
    for (int k = small ? 0 : 2; k < (small ? 2 : 11); k++)
        bench_matrix(shapes[k][0], shapes[k][1], seed);
    bench_shifted(small ? 996 : (1 << 28) - 8, seed);
    bench_boxes(small ? 1000 : 1 << 26, seed);
    bench_strides("stride", 0, small ? 256 : 1 << 24, seed);
    bench_banks(small ? 16 : 4096, seed);
    bench_digits(small ? 1 : 132 * 8, small ? 4 : 64, seed);
    bench_tables(small ? 1 : 132 * 8, small ? 1100 : 4096, seed);
    for (int fetch = 32; fetch <= 128; fetch *= 4) {
        char name[16];

        snprintf(name, sizeof name, "fetch%d", fetch);
        bench_strides(name, (size_t)fetch, small ? 256 : 1 << 24, seed);
    }
}

int main(int argc, char **argv)
{
    struct arg small = ARG_FLAG("--small");
    uint64_t seed = args_parse(argc, argv, "time the memories", &small, 1);
    int version;

    CHECK(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS &&
              cublasGetVersion(cublas, &version) == CUBLAS_STATUS_SUCCESS &&
              cublasSetStream(cublas, cudaStreamPerThread) ==
                  CUBLAS_STATUS_SUCCESS,
          "cuBLAS does not start");
    bench_begin("memory");
    bench_library("cuBLAS", version);
    bench_all(SMALL || small.value, seed);
    CHECK(cublasDestroy(cublas) == CUBLAS_STATUS_SUCCESS, "cuBLAS handle");
    return 0;
}

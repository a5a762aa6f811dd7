/* bench: the memories, copies, and transposes beside cuBLAS. */

/* include all headers of the chapter */
#include <cublas_v2.h>

#include "measure/bench.h"
#include "memory/box.cuh"
#include "memory/copy.cuh"
#include "memory/probes.cuh"
#include "memory/transpose.cuh"
#include "tour/args.h"

#ifdef __LOOM__
enum { SMALL = 1 };
#else
enum { SMALL = 0 };
#endif

/* measure a move */
struct move_work {
    const struct move *move; /* without a launcher: cudaMemcpy */
    int rows, cols;
    size_t n;
    float *d_x, *d_y; /* n floats for each set, and up to three between */
};

static size_t set_at(const struct move_work *w, int set)
{
    return (w->n + 3) / 4 * 4 * (size_t)set;
}

static void run_move(void *work, int set)
{
    struct move_work *w = (struct move_work *)work;
    float *x = w->d_x + set_at(w, set), *y = w->d_y + set_at(w, set);

    if (w->move->launch)
        w->move->launch(w->rows, w->cols, x, y);
    else
        CUDA_CHECK(cudaMemcpyAsync(y, x, w->n * sizeof(float),
                                   cudaMemcpyDeviceToDevice, 0));
    CUDA_LAUNCH_CHECK();
}

/* count what is wrong */
/* x begins at element `at` of the array of this seed. */
__global__ void count_wrong(int kind, size_t n, size_t rows, size_t cols,
                            uint64_t seed, size_t at, const float *y,
                            unsigned *wrong)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        size_t from = kind == TURNED ? i % rows * cols + i / rows : i;
        float want = 0;

        if (kind != BOXED)
            want = small_at(seed, at + from);
        for (int d = -RADIUS; kind == BOXED && d <= RADIUS; d++)
            want += i + d < n ? small_at(seed, at + i + d) : 0;
        if (!(y[i] == want))
            atomicAdd(wrong, 1);
    }
}

/* check a move in the same run */
static void check_move(struct move_work *w, uint64_t seed)
{
    unsigned *d_wrong, wrong;
    size_t at = set_at(w, 1);

    CUDA_CHECK(cudaMalloc((void **)&d_wrong, sizeof *d_wrong));
    CUDA_CHECK(cudaMemset(d_wrong, 0, sizeof *d_wrong));
    CUDA_CHECK(cudaMemset(w->d_y + at, 0xff, w->n * sizeof(float)));
    run_move(w, 1);
    count_wrong<<<1056, 256>>>(w->move->kind, w->n, (size_t)w->rows,
                               (size_t)w->cols, seed, at, w->d_y + at, d_wrong);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(
        cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_wrong));
    CHECK(wrong == 0, "%s, %d x %d: %u elements are wrong", w->move->name,
          w->rows, w->cols, wrong);
}

/* measure moves side by side */
enum { MOVES_MOST = 2 + COPIES + TRANSPOSES + BOXES };

static void bench_moves(const struct move *moves, int count, int rows, int cols,
                        uint64_t seed, const char *share)
{
    static struct bench_case cases[MOVES_MOST];
    struct move_work work[MOVES_MOST], w = {NULL, rows, cols, 0, NULL, NULL};
    int sets;

    w.n = (size_t)rows * cols;
    sets = bench_sets(8 * w.n);
    w.d_x = small_floats((w.n + 4) * (size_t)sets, seed);
    w.d_y = small_floats((w.n + 4) * (size_t)sets, seed + 1);
    for (int k = 0; k < count; k++) {
        work[k] = w;
        work[k].move = &moves[k];
        cases[k] = {moves[k].name, run_move, &work[k]};
        check_move(&work[k], seed);
    }
    bench_measure(cases, count, sets);
    bench_report(cases, count, (long long)w.n, 8.0 * w.n, &cases[0], share);
    if (moves[count - 1].kind == BOXED) /* nine additions an element */
        bench_flops(cases + 1, count - 1, (long long)w.n, 9.0 * w.n);
    CUDA_CHECK(cudaFree(w.d_x));
    CUDA_CHECK(cudaFree(w.d_y));
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

/* list the moves to measure */
static const struct move memcpy_move = {"memcpy", NULL, COPIED};
static const struct move geam_move = {"geam", launch_geam, TURNED};

static void bench_matrix(int rows, int cols, uint64_t seed)
{
    struct move list[MOVES_MOST] = {memcpy_move, geam_move};

    memcpy(list + 2, copies, sizeof copies);
    memcpy(list + 2 + COPIES, transposes, sizeof transposes);
    bench_moves(list, 2 + COPIES + TRANSPOSES, rows, cols, seed, "of_copy");
}

static void bench_boxes(int n, uint64_t seed)
{
    struct move list[1 + BOXES] = {memcpy_move};

    memcpy(list + 1, boxes, sizeof boxes);
    bench_moves(list, 1 + BOXES, 1, n, seed, "of_memcpy");
}

/* measure one thing alone */
struct probe {
    int blocks, a, b; /* what a and b mean is for the launcher to say */
    float *x, *y;
};

/* Rows for one launcher; returns the median in microseconds. */
static double bench_one(const char *name, void (*run)(void *, int), void *work,
                        int sets, long long size, double bytes)
{
    struct bench_case c = {name, run, work};

    bench_measure(&c, 1, sets);
    bench_report(&c, 1, size, bytes, NULL, NULL);
    return stats_of(c.us, c.rounds).median;
}

/* measure a rung */
static void bench_rung(struct rung r, size_t arrays, double peak)
{
    int warps = r.blocks * r.threads / 32;
    double us, bytes = rung_bytes(&r);

    r.d_x = small_floats(arrays * 4 * ((size_t)r.mask + 1), r.seed);
    CUDA_CHECK(cudaMalloc((void **)&r.d_sums, warps * sizeof(float)));
    check_rung(&r, 1 + warps / 16);
    us = bench_one(r.name, run_rung, &r, 1, 0, bytes);
    bench_row(r.name, 0, "tbps", bytes / us / 1e6, "TB/s");
    if (peak > 0) {
        bench_row(r.name, 0, "peak", peak / 1e12, "TB/s");
        bench_row(r.name, 0, "of_peak", 100 * bytes / us * 1e6 / peak, "%");
    }
    CUDA_CHECK(cudaFree(r.d_x));
    CUDA_CHECK(cudaFree(r.d_sums));
}

/* measure all rungs */
static void bench_rungs(int small, uint64_t seed)
{
    int sms = small ? 2 : bench_attribute(cudaDevAttrMultiProcessorCount);
    double mhz = bench_attribute(cudaDevAttrClockRate) / 1e3;
    double memory = bench_attribute(cudaDevAttrMemoryClockRate) / 1e3;
    double bits = bench_attribute(cudaDevAttrGlobalMemoryBusWidth);
    int turns = small ? 50 : 4096, wide = small ? 4 : 1 << 13;
    struct rung r = {"registers", 8 * sms, 256, turns, 0, NULL, NULL, seed};
    double sm = peak_sms(sms, mhz, SHARED_BYTES);

    bench_rung(r, 1, peak_sms(sms, mhz, REGISTER_BYTES));
    r.name = "l1";
    r.mask = 1023;
    bench_rung(r, 8 * (size_t)sms, sm);
    r.name = "shared";
    r.mask = SHARED_VECTORS - 1;
    r.blocks = 6 * sms;
    bench_rung(r, 1, sm);
    r.name = "l2";
    r.mask = (1u << (small ? 10 : 20)) - 1;
    r.blocks = 4 * sms;
    r.turns = small ? 2 : 512;
    bench_rung(r, 1, 0);
    r.name = "memory";
    r.mask = 8 * 1024u * (unsigned)wide - 1;
    r.blocks = wide;
    r.turns = 8;
    bench_rung(r, 1, peak_dram(memory, bits));
}

/* measure the way from the host */
static void run_send(void *work, int)
{
    const struct probe *p = (const struct probe *)work;

    CUDA_CHECK(cudaMemcpyAsync(p->y, p->x, p->a, cudaMemcpyHostToDevice, 0));
}

static void bench_pcie(int bytes)
{
    struct probe p = {0, bytes, 0, NULL, NULL};
    double us;

    CUDA_CHECK(cudaMallocHost((void **)&p.x, bytes));
    CUDA_CHECK(cudaMalloc((void **)&p.y, bytes));
    memset(p.x, 1, bytes);
    us = bench_one("to_device", run_send, &p, 1, 0, bytes);
    bench_row("to_device", 0, "of_peak", 1e8 * bytes / us / peak_pcie(32, 16),
              "%");
    CUDA_CHECK(cudaFreeHost(p.x));
    CUDA_CHECK(cudaFree(p.y));
}

/* measure latencies */
static void bench_latencies(int most, int hops)
{
    static const char *const names[] = {"one", "issued", "together", "chained",
                                        "stored"};
    long long spent[TIMES] = {0};

    for (int e = 12; e <= most; e++)
        for (int three = 2; three <= 3; three++) {
            size_t lines = (size_t)three << (e - 1 - 7);
            long long bytes = (long long)(lines * sizeof(struct line));
            struct trip t = chase(lines, hops);

            bench_row("chase", bytes, "cycles", (double)t.cycles / hops,
                      "cycles");
            bench_row("chase", bytes, "ns", (double)t.ns / hops, "ns");
        }
    bench_row("chase_shared", 0, "cycles", chase_in_shared(hops), "cycles");
    run_loads(spent);
    for (int k = 0; k < TIMES; k++)
        bench_row(names[k], LOADS, "cycles", (double)spent[k], "cycles");
}

/* measure strides */
static void run_stride(void *work, int set)
{
    const struct probe *p = (const struct probe *)work;
    size_t n = (size_t)p->a * set;

    read_strided<<<p->blocks, 256>>>(p->a, p->b, 0, p->x + n * p->b, p->y + n);
}

static void bench_strides(int n, uint64_t seed)
{
    double first = 0, us;

    for (int stride = 1; stride <= 64; stride *= 2) {
        int sets = bench_sets((size_t)n * 4 * (1 + stride));
        struct probe p = {blocks_for(n, 1024), n, stride,
                          small_floats((size_t)n * stride * sets, seed),
                          small_floats((size_t)n * sets, seed)};

        us = bench_one("stride", run_stride, &p, sets, stride, 8.0 * n);
        first = stride == 1 ? us : first;
        bench_row("stride", stride, "times", us / first, "times");
        bench_row("predicted", stride, "times",
                  (predict_sectors(0, 4 * stride, 4, 32) + 4) / 8.0, "times");
        CUDA_CHECK(cudaFree(p.x));
        CUDA_CHECK(cudaFree(p.y));
    }
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

/* measure local memory */
template <void (*KERNEL)(int, const unsigned *, int *)>
static void run_digits(void *work, int)
{
    const struct probe *p = (const struct probe *)work;

    KERNEL<<<p->blocks, 256>>>(p->a, (unsigned *)p->x, (int *)p->y);
}

static void bench_digits(int blocks, int words, uint64_t seed)
{
    size_t threads = (size_t)blocks * 256;
    struct probe p = {blocks, words, 0, small_floats(threads * words, seed),
                      NULL};

    CUDA_CHECK(cudaMalloc((void **)&p.y, 16 * threads * sizeof(int)));
    bench_one("by_index", run_digits<count_by_index>, &p, 1, words, 0);
    bench_one("by_asking", run_digits<count_by_asking>, &p, 1, words, 0);
    CUDA_CHECK(cudaFree(p.x));
    CUDA_CHECK(cudaFree(p.y));
}

/* measure the tables */
static void bench_tables(int blocks, int turns, uint64_t seed)
{
    static const char *const names[] = {"global_same", "global_apart",
                                        "constant_same", "constant_apart"};
    struct tables t = tables_new(blocks, turns, seed);

    for (int k = 0; k < 4; k++) {
        t.constant = k / 2;
        t.spread = k % 2;
        check_look_up(&t, seed);
        bench_one(names[k], look_up, &t, 1, turns, 0);
    }
    tables_free(&t);
}

/* measure everything */
static void bench_all(int small, uint64_t seed)
{
    bench_begin("memory");
    bench_rungs(small, seed);
    bench_pcie(small ? 1 << 16 : 1 << 28);
    bench_latencies(small ? 14 : 32, small ? 100 : 8192);
    bench_matrix(small ? 64 : 1024, small ? 64 : 1024, seed);
    if (!small) {
        bench_matrix(4096, 4096, seed);
        bench_matrix(16384, 16384, seed);
    }
    bench_matrix(small ? 61 : 16381, small ? 67 : 16411, seed);
    bench_strides(small ? 256 : 1 << 24, seed);
    bench_banks(small ? 16 : 4096, seed);
    bench_digits(small ? 1 : 132 * 8, small ? 4 : 64, seed);
    bench_tables(small ? 1 : 132 * 8, small ? 1100 : 4096, seed);
    bench_boxes(small ? 1000 : 1 << 26, seed);
}

int main(int argc, char **argv)
{
    struct arg small = ARG_FLAG("--small");
    uint64_t seed = args_parse(argc, argv, "time the memories", &small, 1);

    CHECK(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "no cuBLAS handle");
    bench_all(SMALL || small.value, seed);
    CHECK(cublasDestroy(cublas) == CUBLAS_STATUS_SUCCESS, "cuBLAS handle");
    return 0;
}

/* bench.cuh: sums, scans, softmax, and what a sum's order does. Beside CUB, if
   its header was included before and BENCH_CUB is defined. */
#ifndef REDUCE_BENCH_CUH
#define REDUCE_BENCH_CUH

#include "measure/bench.h"
#include "reduce/orders.h"
#include "reduce/rate.cuh"
#include "reduce/same.cuh"
#include "reduce/softmax.cuh"
#include "tour/args.h"

/* read and do nothing */
__global__ void read_only(size_t n, const float4 *x, float *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    float4 w[SUM_LOADS];
    unsigned all = 0;

    for (; i + (SUM_LOADS - 1) * step < n; i += SUM_LOADS * step) {
#pragma unroll
        for (int k = 0; k < SUM_LOADS; k++)
            w[k] = __ldcs(&x[i + k * step]);
#pragma unroll
        for (int k = 0; k < SUM_LOADS; k++)
            all |= __float_as_uint(w[k].x) & __float_as_uint(w[k].y) &
                   __float_as_uint(w[k].z) & __float_as_uint(w[k].w);
    }
    if (all == 0xffffffff) /* the inputs are no NaNs */
        *out = 0;
}

/* hold what is measured */
enum kind { READ, COPY, SUM, SCAN, SOFTMAX, CUB_SUM, CUB_SCAN };

struct work {
    enum kind kind;
    int how, cols;
    size_t n, pitch;
    float *x, *y, *out;
    struct sum_space *sum;
    struct scan_space *scan;
    void *temp; /* the library's */
    size_t temp_bytes;
};

/* call the library */
#ifdef BENCH_CUB
static void run_cub(struct work *w, const float *x, float *y)
{
    long long n = (long long)w->n;

    if (w->kind == CUB_SUM)
        CUDA_CHECK(
            cub::DeviceReduce::Sum(w->temp, w->temp_bytes, x, w->out, n));
    else
        CUDA_CHECK(
            cub::DeviceScan::InclusiveSum(w->temp, w->temp_bytes, x, y, n));
}
#else
static void run_cub(struct work *, const float *, float *)
{
}
#endif

/* run what is measured */
static void run(void *work, int set)
{
    struct work *w = (struct work *)work;
    size_t at = (size_t)set * w->pitch, n = w->n;
    float *x = w->x + at, *y = w->y + at;
    size_t head = head_of(n, x);

    if (w->kind == READ)
        read_only<<<SUM_BLOCKS, SUM_THREADS>>>(
            (n - head) / 4, (const float4 *)(x + head), w->out);
    else if (w->kind == COPY)
        CUDA_CHECK(cudaMemcpyAsync(y, x, n * 4, cudaMemcpyDeviceToDevice, 0));
    else if (w->kind == SUM)
        sum_run((enum sum_how)w->how, n, x, w->sum, 0, w->out);
    else if (w->kind == SCAN)
        scan_run((enum scan_how)w->how, n, 0, x, y, w->scan, 0, 0);
    else if (w->kind == SOFTMAX)
        softmax_run((enum soft_how)w->how, (int)(n / (size_t)w->cols), w->cols,
                    x, y);
    else
        run_cub(w, x, y);
}

/* list the variants */
enum group { SUMS_OF, SCANS_OF, SOFTMAXES_OF, GROUPS };

static const struct variant {
    enum group group;
    const char *name;
    enum kind kind;
    int how;
} variants[] = {
    {SUMS_OF, "read", READ, 0},
    {SCANS_OF, "copy", COPY, 0},
    {SOFTMAXES_OF, "soft_copy", COPY, 0},
#ifdef BENCH_CUB
    {SUMS_OF, "cub_sum", CUB_SUM, 0},
    {SCANS_OF, "cub_scan", CUB_SCAN, 0},
#endif
    {SUMS_OF, "sum_tree", SUM, SUM_TREE},
    {SUMS_OF, "sum_shuffle", SUM, SUM_SHUFFLE},
    {SUMS_OF, "sum_wide", SUM, SUM_WIDE},
    {SUMS_OF, "sum_once", SUM, SUM_ONCE},
    {SUMS_OF, "sum_atomic", SUM, SUM_ATOMIC},
    {SCANS_OF, "scan_back", SCAN, SCAN_BACK},
    {SCANS_OF, "scan_rounds", SCAN, SCAN_ROUNDS},
    {SOFTMAXES_OF, "soft_three", SOFTMAX, SOFT_THREE},
    {SOFTMAXES_OF, "soft_online", SOFTMAX, SOFT_ONLINE},
    {SOFTMAXES_OF, "soft_held", SOFTMAX, SOFT_HELD},
};

/* check what was measured */
__global__ void fill_small(size_t n, float *x, uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        x[i] = (float)(((rng_at(seed, i) >> 32) * 9) >> 32) - 4;
}

__global__ void check_steps(size_t n, const float *x, const float *y,
                            float *wrong)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        if (!(y[i] - (i > 0 ? y[i - 1] : 0) == x[i]))
            atomicAdd(wrong, 1);
}
static void check_soft(const char *name, const struct work *w, const float *x)
{
    size_t cols = (size_t)w->cols;
    float *y = (float *)check_alloc(cols, sizeof *y);
    double *want = (double *)check_alloc(cols, sizeof *want), tol;

    CUDA_CHECK(cudaMemcpy(y, w->y, cols * 4, cudaMemcpyDeviceToHost));
    softmax_reference(cols, x, want);
    for (size_t i = 0; i < cols; i++) {
        tol = bound_softmax(w->cols, w->cols, w->cols / 32, 8,
                            bound_ulps(2, BOUND_FLOAT), BOUND_FLOAT, want[i]);
        CHECK_NEAR(y[i], want[i], tol, name);
    }
    free(y);
    free(want);
}
static void check_group(enum group group, struct bench_case *cases, int count)
{
    const struct work *w = (const struct work *)cases[0].work;
    float *x = (float *)check_alloc(w->n, sizeof *x), got;
    double exact;

    CUDA_CHECK(cudaMemcpy(x, w->x, w->n * 4, cudaMemcpyDeviceToHost));
    exact = group == SUMS_OF ? sum_exact(w->n, x) : 0;
    for (int k = 1; k < count; k++) {
        CUDA_CHECK(cudaMemset(w->y, 0xff, w->n * 4));
        CUDA_CHECK(cudaMemset(w->out, 0, 4));
        cases[k].launch(cases[k].work, 0);
        if (group == SCANS_OF)
            check_steps<<<1024, 256>>>(w->n, w->x, w->y, w->out);
        else if (group == SOFTMAXES_OF)
            check_soft(cases[k].variant, w, x);
        CUDA_CHECK(cudaMemcpy(&got, w->out, 4, cudaMemcpyDeviceToHost));
        CHECK(got == exact, "%s: %g, not %g", cases[k].variant, got, exact);
    }
    free(x);
}

/* measure a group */
static void measure(enum group group, const struct work *all, long long size)
{
    static const char *const share[] = {"of_read", "of_copy", "of_copy"};
    static const double bytes[] = {4, 8, 8}; /* for each element */
    static struct bench_case cases[12];
    struct work work[12];
    int count = 0;

    /* gather the variants of a group */
    memset(cases, 0, sizeof cases);
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        const struct variant *v = &variants[k];
        int held = v->kind == SOFTMAX && v->how == SOFT_HELD;

        if (v->group != group || (held && all->cols > SOFT_ITEMS * 1024))
            continue;
        work[count] = *all;
        work[count].kind = v->kind;
        work[count].how = v->how;
        cases[count].variant = v->name;
        cases[count].launch = run;
        cases[count].work = &work[count];
        count++;
    }
    bench_measure(cases, count, bench_sets(8 * all->n));
    bench_report(cases, count, size, bytes[group] * (double)all->n, cases,
                 share[group]);
    for (int k = 2; k < count && work[1].kind >= CUB_SUM; k++)
        bench_row(cases[k].variant, size, "of_cub",
                  100 * stats_ratio(cases[1].us, cases[k].us, BENCH_ROUNDS),
                  "%");
    if (group != SOFTMAXES_OF) /* an addition for each element */
        bench_flops(cases + 1, count - 1, size, (double)all->n);
    check_group(group, cases, count);
}

/* measure one size */
static void bench_size(size_t n, size_t shift, int cols, uint64_t seed)
{
    size_t sets = (size_t)bench_sets(8 * n), pitch = ceil_div(n + 8, 64) * 64;
    struct sum_space sum = sum_space_make(n);
    struct scan_space scan = scan_space_make(n);
    struct work all = {READ, 0,    cols, n,     pitch, NULL,
                       NULL, NULL, &sum, &scan, NULL,  0};
    float *d = NULL;

    /* make room for the library */
    for (int k = 0; k < 2; k++) {
        struct work ask = all;

        ask.kind = k ? CUB_SUM : CUB_SCAN;
        run(&ask, 0);
        if (ask.temp_bytes > all.temp_bytes)
            all.temp_bytes = ask.temp_bytes;
    }
    CUDA_CHECK(cudaMalloc(&all.temp, all.temp_bytes + 1));
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * pitch * sets * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&all.out, sizeof(float)));
    fill_small<<<SUM_BLOCKS, SUM_THREADS>>>(pitch * sets, d, seed);
    all.x = d + shift;
    all.y = d + pitch * sets + shift;
    for (int g = 0; g < GROUPS; g++)
        if ((g == SOFTMAXES_OF) == (cols > 0))
            measure((enum group)g, &all, cols ? cols : (long long)n);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(all.out));
    CUDA_CHECK(cudaFree(all.temp));
    sum_space_free(&sum);
    scan_space_free(&scan);
}

/* add up on the GPU */
static float sum_of_host(size_t n, const float *x)
{
    struct sum_space s = sum_space_make(n);
    float *d, sum;

    CUDA_CHECK(cudaMalloc((void **)&d, (n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    sum_run(SUM_ONCE, n, d, &s, 0, d + n);
    CUDA_CHECK(cudaMemcpy(&sum, d + n, sizeof sum, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&s);
    return sum;
}

/* record the orders */
static void record(const char *name, uint64_t seed, double sum, double exact,
                   double bound)
{
    char variant[32];

    snprintf(variant, sizeof variant, "order_%s", name);
    CHECK(fabs(sum - exact) <= bound, "%s: %.9g, exact %.9g, bound %g", name,
          sum, exact, bound);
    bench_row(variant, (long long)seed, "error", fabs(sum - exact) / exact, "");
    bench_row(variant, (long long)seed, "bound", bound / exact, "");
}

static void record_orders(size_t n, uint64_t seed)
{
    float *x = (float *)check_alloc(n, sizeof *x), *sorted;
    double exact, height = sum_height(SUM_ONCE, n, 0);

    rng_fill_float(x, n, seed);
    sorted = sorted_copy(n, x);
    exact = sum_exact(n, x);
    for (int k = 0; k < ORDERS; k++)
        record(order_names[k], seed, order_sum(k, n, x, sorted), exact,
               order_bound(k, n, exact));
    record("gpu", seed, sum_of_host(n, x), exact,
           bound_sum((double)n, height, BOUND_FLOAT, exact));
    free(x);
    free(sorted);
}

/* measure all of it */
#ifdef __LOOM__
enum { LARGE = 14, ODD = 10007, SOFT = 12, SEEDS = 1, LENGTH = 2, RUNS = 9 };
#else
enum { LARGE = 28, ODD = 268435399, SOFT = 27, SEEDS = 5 };
enum { LENGTH = 4096, RUNS = 100 };
#endif

static void bench_all(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "sums and scans, measured", NULL, 0);

    bench_begin("reduce");
    for (int e = LARGE - 8; e <= LARGE; e += 4)
        bench_size((size_t)1 << e, 0, 0, seed);
    bench_size(ODD, 1, 0, seed);
    for (int e = 10; e <= 20 && e <= SOFT; e += 3)
        bench_size((size_t)1 << SOFT, 0, 1 << e, seed);
    for (uint64_t s = 1; s <= SEEDS; s++)
        record_orders((size_t)1 << (LARGE - 4), s);
    /* record how often a result repeats, and the rates */
    size_t n = (size_t)1 << (LARGE - 4);
    int blocks = 2 * bench_attribute(cudaDevAttrMultiProcessorCount);

    bench_row("same_once", (long long)n, "results",
              count_results(0, SUM_ONCE, n, RUNS, 0, seed), "");
    bench_row("same_blocks", (long long)n, "results",
              count_results(0, SUM_ONCE, n, RUNS, 1, seed), "");
    bench_row("same_atomic", (long long)n, "results",
              count_results(0, SUM_ATOMIC, n, RUNS, 0, seed), "");
    bench_row("same_rounds", (long long)n, "results",
              count_results(1, SCAN_ROUNDS, n, RUNS, 0, seed), "");
    bench_row("same_back", (long long)n, "results",
              count_results(1, SCAN_BACK, n, RUNS, 0, seed), "");
    bench_row("rate_float", 0, "per_cycle", rate_of<float>(blocks, LENGTH), "");
    bench_row("rate_double", 0, "per_cycle", rate_of<double>(blocks, LENGTH),
              "");
    bench_row("rate_int", 0, "per_cycle", rate_of<int>(blocks, LENGTH), "");
}

#endif

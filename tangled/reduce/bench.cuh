/* bench.cuh: sums, scans, softmax, and what a sum's order does. Beside CUB, if
   its header was included before and BENCH_CUB is defined. */
#ifndef REDUCE_BENCH_CUH
#define REDUCE_BENCH_CUH

#include <string.h>

#include "measure/bench.h"
#include "reduce/orders.h"
#include "reduce/rate.cuh"
#include "reduce/reduce.cuh"
#include "reduce/reference.h"
#include "reduce/scan.cuh"
#include "reduce/softmax.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* the parts of the benchmark */

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
struct work {
    int how, cols;
    size_t n, pitch;
    float *x, *y, *out;
    struct sum_space *sum;
    struct scan_space *scan;
    void *temp; /* the library's */
    size_t temp_bytes;
};

static const float *set_x(const struct work *w, int set)
{
    return w->x + (size_t)set * w->pitch;
}

static float *set_y(const struct work *w, int set)
{
    return w->y + (size_t)set * w->pitch;
}

/* run what is measured */
static void run_read(void *work, int set)
{
    struct work *w = (struct work *)work;
    const float *x = set_x(w, set);
    size_t head = head_of(w->n, x);

    read_only<<<SUM_BLOCKS, SUM_THREADS>>>((w->n - head) / 4,
                                           (const float4 *)(x + head), w->out);
}

static void run_copy(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cudaMemcpyAsync(set_y(w, set), set_x(w, set), w->n * 4,
                               cudaMemcpyDeviceToDevice, 0));
}
static void run_sum(void *work, int set)
{
    struct work *w = (struct work *)work;

    sum_run((enum sum_how)w->how, w->n, set_x(w, set), w->sum, 0, w->out);
}

static void run_scan(void *work, int set)
{
    struct work *w = (struct work *)work;

    scan_run((enum scan_how)w->how, w->n, 0, set_x(w, set), set_y(w, set),
             w->scan, 0, 0);
}

static void run_soft(void *work, int set)
{
    struct work *w = (struct work *)work;

    softmax_run((enum soft_how)w->how, (int)(w->n / (size_t)w->cols), w->cols,
                set_x(w, set), set_y(w, set));
}
#ifdef BENCH_CUB

/* run the library */
static void run_cub_sum(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cub::DeviceReduce::Sum(w->temp, w->temp_bytes, set_x(w, set),
                                      w->out, (long long)w->n));
}

static void run_cub_scan(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cub::DeviceScan::InclusiveSum(
        w->temp, w->temp_bytes, set_x(w, set), set_y(w, set), (long long)w->n));
}

static size_t cub_needs(size_t n)
{
    size_t a = 0, b = 0;
    float *none = NULL;

    CUDA_CHECK(cub::DeviceReduce::Sum(NULL, a, none, none, (long long)n));
    CUDA_CHECK(
        cub::DeviceScan::InclusiveSum(NULL, b, none, none, (long long)n));
    return a > b ? a : b;
}
#endif

/* list the variants */
enum group { ALL_SUMS, ALL_SCANS, ALL_SOFT };

static const struct variant {
    enum group group;
    const char *name;
    void (*run)(void *work, int set);
    int how;
} variants[] = {
    {ALL_SUMS, "read", run_read, 0},
#ifdef BENCH_CUB
    {ALL_SUMS, "cub_sum", run_cub_sum, 0},
#endif
    {ALL_SUMS, "sum_tree", run_sum, SUM_TREE},
    {ALL_SUMS, "sum_shuffle", run_sum, SUM_SHUFFLE},
    {ALL_SUMS, "sum_wide", run_sum, SUM_WIDE},
    {ALL_SUMS, "sum_once", run_sum, SUM_ONCE},
    {ALL_SUMS, "sum_atomic", run_sum, SUM_ATOMIC},
    {ALL_SCANS, "copy", run_copy, 0},
#ifdef BENCH_CUB
    {ALL_SCANS, "cub_scan", run_cub_scan, 0},
#endif
    {ALL_SCANS, "scan_back", run_scan, SCAN_BACK},
    {ALL_SCANS, "scan_rounds", run_scan, SCAN_ROUNDS},
    {ALL_SOFT, "soft_copy", run_copy, 0},
    {ALL_SOFT, "soft_three", run_soft, SOFT_THREE},
    {ALL_SOFT, "soft_online", run_soft, SOFT_ONLINE},
    {ALL_SOFT, "soft_held", run_soft, SOFT_HELD},
};

/* check a row of a softmax */
static void check_row(const char *name, size_t n, const float *x,
                      const float *d_y)
{
    float *y = (float *)check_alloc(n, sizeof *y);
    double *want = (double *)check_alloc(n, sizeof *want), cols = (double)n;

    CUDA_CHECK(cudaMemcpy(y, d_y, n * 4, cudaMemcpyDeviceToHost));
    softmax_reference(n, x, want);
    for (size_t i = 0; i < n; i++)
        CHECK_NEAR(y[i], want[i],
                   bound_softmax(cols, cols, cols / 32, 8,
                                 bound_ulps(2, BOUND_FLOAT), BOUND_FLOAT,
                                 want[i]),
                   name);
    free(y);
    free(want);
}

/* check what was measured */
__global__ void check_steps(size_t n, const float *x, const float *y,
                            float *wrong)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        if (!(y[i] - (i > 0 ? y[i - 1] : 0) == x[i]))
            atomicAdd(wrong, 1);
}

__global__ void fill_small(size_t n, float *x, uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        x[i] = (float)(((rng_at(seed, i) >> 32) * 9) >> 32) - 4;
}
static void check_case(enum group group, struct bench_case *c)
{
    struct work *w = (struct work *)c->work;
    size_t n = group == ALL_SOFT ? (size_t)w->cols : w->n;
    float *h = (float *)check_alloc(n, sizeof *h), got;

    CUDA_CHECK(cudaMemset(w->y, 0xff, w->n * sizeof *h));
    c->launch(w, 0);
    CUDA_CHECK(cudaMemcpy(&got, w->out, sizeof got, cudaMemcpyDeviceToHost));
    if (group == ALL_SCANS) {
        CUDA_CHECK(cudaMemset(w->out, 0, sizeof got));
        check_steps<<<1024, 256>>>(w->n, w->x, w->y, w->out);
        CUDA_CHECK(cudaMemcpy(&got, w->out, 4, cudaMemcpyDeviceToHost));
        CHECK(got == 0, "%s: %g elements are wrong", c->variant, got);
    } else {
        CUDA_CHECK(cudaMemcpy(h, w->x, n * 4, cudaMemcpyDeviceToHost));
        if (group == ALL_SUMS)
            CHECK(got == sum_exact(n, h), "%s: %g", c->variant, got);
        else
            check_row(c->variant, n, h, w->y);
    }
    free(h);
}

/* measure a group */
static void measure(enum group group, const struct work *all, long long size)
{
    static const double bytes[] = {4, 8, 8}; /* for each element */
    static const char *const share[] = {"of_read", "of_copy", "of_copy"};
    static struct bench_case cases[12];
    struct work work[12];
    int count = 0;

    memset(cases, 0, sizeof cases);
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        const struct variant *v = &variants[k];
        int too_long = v->run == run_soft && v->how == SOFT_HELD &&
                       all->cols > SOFT_ITEMS * 1024;

        if (v->group != group || too_long)
            continue;
        work[count] = *all;
        work[count].how = v->how;
        cases[count].variant = v->name;
        cases[count].launch = v->run;
        cases[count].work = &work[count];
        count++;
    }
    bench_measure(cases, count, bench_sets(8 * all->n));
    bench_report(cases, count, size, bytes[group] * (double)all->n, cases,
                 share[group]);
    /* compare with the library, and check */
    for (int k = 2; k < count && group != ALL_SOFT; k++)
        bench_row(cases[k].variant, size, "of_cub",
                  100 * stats_ratio(cases[1].us, cases[k].us, BENCH_ROUNDS),
                  "%");
    for (int k = 1; k < count; k++)
        check_case(group, &cases[k]);
}

/* measure one size */
static void bench_size(size_t n, size_t shift, int cols, uint64_t seed)
{
    size_t sets = (size_t)bench_sets(8 * n), pitch = ceil_div(n + 8, 64) * 64;
    struct sum_space sum = sum_space_make(n);
    struct scan_space scan = scan_space_make(n);
    struct work all = {0,    cols, n,     pitch, NULL, NULL,
                       NULL, &sum, &scan, NULL,  0};
    float *d = NULL;

#ifdef BENCH_CUB
    all.temp_bytes = cub_needs(n);
#endif
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * pitch * sets * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&all.out, sizeof(float)));
    CUDA_CHECK(cudaMalloc(&all.temp, all.temp_bytes + 1));
    fill_small<<<SUM_BLOCKS, SUM_THREADS>>>(pitch * sets, d, seed);
    all.x = d + shift;
    all.y = d + pitch * sets + shift;
    /* measure the groups and free */
    if (cols == 0) {
        measure(ALL_SUMS, &all, (long long)n);
        measure(ALL_SCANS, &all, (long long)n);
    } else {
        measure(ALL_SOFT, &all, cols);
    }
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(all.out));
    CUDA_CHECK(cudaFree(all.temp));
    sum_space_free(&sum);
    scan_space_free(&scan);
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
    float *x = (float *)check_alloc(n, sizeof *x), *sorted, *d, sum;
    struct sum_space s = sum_space_make(n);
    double exact;

    rng_fill_float(x, n, seed);
    sorted = sorted_copy(n, x);
    exact = sum_exact(n, x);
    for (int k = 0; k < ORDERS; k++)
        record(order_names[k], seed, order_sum(k, n, x, sorted), exact,
               order_bound(k, n, exact));
    CUDA_CHECK(cudaMalloc((void **)&d, (n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    sum_run(SUM_ONCE, n, d, &s, 0, d + n);
    CUDA_CHECK(cudaMemcpy(&sum, d + n, sizeof sum, cudaMemcpyDeviceToHost));
    record(
        "gpu", seed, sum, exact,
        bound_sum((double)n, sum_height(SUM_ONCE, n, 0), BOUND_FLOAT, exact));
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&s);
    free(x);
    free(sorted);
}

/* count different results */
/* Adds the same n floats `runs` <= 1000 times; returns how many results differ.
   With vary, run r has r + 1 blocks. */
static int count_results(enum sum_how how, size_t n, int runs, int vary,
                         uint64_t seed)
{
    float *x = (float *)check_alloc(n, sizeof *x), *d, got[1000];
    struct sum_space s = sum_space_make(n);
    int different = 0;

    rng_fill_float(x, n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, (n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    for (int r = 0; r < runs; r++) {
        int seen = 0;

        sum_run(how, n, d, &s, vary ? (unsigned)r % SUM_BLOCKS + 1 : 0, d + n);
        CUDA_CHECK(
            cudaMemcpy(&got[r], d + n, sizeof *got, cudaMemcpyDeviceToHost));
        for (int k = 0; k < r; k++)
            seen |= memcmp(&got[k], &got[r], sizeof *got) == 0;
        different += !seen;
    }
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&s);
    free(x);
    return different;
}

/* measure all of it */
#ifdef __SIMT__
enum { LARGE = 14, ODD = 10007, SOFT = 12, SEEDS = 1, LENGTH = 2 };
#else
enum { LARGE = 28, ODD = 268435399, SOFT = 27, SEEDS = 5, LENGTH = 4096 };
#endif

static void bench_all(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "sums and scans, measured", NULL, 0);
    int blocks = 2 * bench_attribute(cudaDevAttrMultiProcessorCount);
    size_t n = (size_t)1 << (LARGE - 4);

    bench_begin("reduce");
    for (int e = LARGE - 8; e <= LARGE; e += 4)
        bench_size((size_t)1 << e, 0, 0, seed);
    bench_size(ODD, 1, 0, seed);
    for (int e = 10; e <= 20 && e <= SOFT; e += 3)
        bench_size((size_t)1 << SOFT, 0, 1 << e, seed);
    for (uint64_t s = 1; s <= SEEDS; s++)
        record_orders(n, s);
    /* record how often a result repeats, and the rates */
    bench_row("same_once", (long long)n, "results",
              count_results(SUM_ONCE, n, 100, 0, seed), "");
    bench_row("same_blocks", (long long)n, "results",
              count_results(SUM_ONCE, n, 100, 1, seed), "");
    bench_row("same_atomic", (long long)n, "results",
              count_results(SUM_ATOMIC, n, 100, 0, seed), "");
    bench_row("rate_float", 0, "per_cycle", rate_of<float>(blocks, LENGTH), "");
    bench_row("rate_double", 0, "per_cycle", rate_of<double>(blocks, LENGTH),
              "");
    bench_row("rate_int", 0, "per_cycle", rate_of<int>(blocks, LENGTH), "");
}

#endif

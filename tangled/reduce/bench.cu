/* bench: sums, scans, softmax, and what a sum's order does. */
#ifndef __SIMT__
#include <cub/cub.cuh>
#endif
#include <string.h>

#include "measure/bench.h"
#include "reduce/bench.cuh"
#include "reduce/orders.h"
#include "reduce/rate.cuh"
#include "reduce/reference.h"
#include "reduce/same.cuh"
#include "reduce/scan.cuh"
#include "reduce/softmax.cuh"
#include "reduce/welford.cuh"
#include "tour/args.h"

/* hold what is measured */
struct work {
    int how, exclusive;
    size_t n, pitch; /* floats of a set; floats from one set to the next */
    float *x, *y, *out;
    struct sum_space *sum;
    struct scan_space *scan;
    void *temp; /* CUB's */
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

    read_only<<<SUM_BLOCKS, SUM_THREADS>>>(
        (w->n - head) / 4, (const float4 *)(x + head), w->out);
}

static void run_sum(void *work, int set)
{
    struct work *w = (struct work *)work;

    sum_run((enum sum_how)w->how, w->n, set_x(w, set), w->sum, 0, w->out);
}

static void run_copy(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cudaMemcpyAsync(set_y(w, set), set_x(w, set), w->n * 4,
                               cudaMemcpyDeviceToDevice, 0));
}

static void run_scan(void *work, int set)
{
    struct work *w = (struct work *)work;

    scan_run((enum scan_how)w->how, w->n, w->exclusive, set_x(w, set),
             set_y(w, set), w->scan, 0, 0);
}

/* run the library */
#ifndef __SIMT__
static void run_cub_sum(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cub::DeviceReduce::Sum(w->temp, w->temp_bytes, set_x(w, set),
                                      w->out, (long long)w->n));
}

static void run_cub_scan(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cub::DeviceScan::InclusiveSum(w->temp, w->temp_bytes,
                                             set_x(w, set), set_y(w, set),
                                             (long long)w->n));
}

static size_t cub_needs(size_t n)
{
    size_t a = 0, b = 0;
    float *none = NULL;

    CUDA_CHECK(
        cub::DeviceReduce::Sum(NULL, a, none, none, (long long)n));
    CUDA_CHECK(
        cub::DeviceScan::InclusiveSum(NULL, b, none, none, (long long)n));
    return a > b ? a : b;
}
#endif

/* fill with small whole numbers */
__global__ void fill_small(size_t n, float *x, uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        x[i] = (float)(((rng_at(seed, i) >> 32) * 9) >> 32) - 4;
}

/* check what was measured */
__global__ void check_steps(size_t n, const float *x, const float *y,
                            unsigned *wrong)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        if (!(y[i] - (i > 0 ? y[i - 1] : 0) == x[i]))
            atomicAdd(wrong, 1);
}

static void check_case(struct bench_case *c, int is_scan, double exact)
{
    struct work *w = (struct work *)c->work;
    unsigned *d_wrong = (unsigned *)w->out, wrong = 0;
    float sum;

    if (is_scan)
        CUDA_CHECK(cudaMemset(set_y(w, 0), 0xff, w->n * sizeof(float)));
    c->launch(w, 0);
    CUDA_CHECK(cudaMemcpy(&sum, w->out, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(is_scan || sum == exact, "%s: %.9g, not %.9g", c->variant, sum,
          exact);
    if (!is_scan)
        return;
    CUDA_CHECK(cudaMemset(d_wrong, 0, sizeof wrong));
    check_steps<<<1024, 256>>>(w->n, set_x(w, 0), set_y(w, 0), d_wrong);
    CUDA_CHECK(
        cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    CHECK(wrong == 0, "%s: %u wrong elements", c->variant, wrong);
}

/* list the cases */
enum { CASES = 10 };

static void add_case(struct bench_case *cases, int *count, const char *name,
                     void (*run)(void *work, int set), const struct work *w)
{
    CHECK(*count < CASES, "%d cases", *count);
    memset(&cases[*count], 0, sizeof *cases);
    cases[*count].variant = name;
    cases[*count].launch = run;
    cases[(*count)++].work = (void *)w;
}
static const char *const sum_labels[] = {"sum_tree", "sum_shuffle", "sum_wide",
                                         "sum_once", "sum_atomic"};
static const char *const scan_labels[] = {"scan_back", "scan_rounds"};
static const char *const soft_labels[] = {"soft_three", "soft_online",
                                          "soft_held"};

/* measure the sums */
static void bench_sums(const struct work *all, int sets)
{
    static struct bench_case cases[CASES];
    struct work work[SUMS];
    float *h = (float *)check_alloc(all->n, sizeof *h);
    double exact;
    int count = 0;

    add_case(cases, &count, "read", run_read, all);
#ifndef __SIMT__
    add_case(cases, &count, "cub_sum", run_cub_sum, all);
#endif
    for (int how = 0; how < SUMS; how++) {
        work[how] = *all;
        work[how].how = how;
        add_case(cases, &count, sum_labels[how], run_sum, &work[how]);
    }
    bench_measure(cases, count, sets);
    bench_report(cases, count, (long long)all->n, 4.0 * all->n, &cases[0],
                 "of_read");
    /* compare with the library's time */
    for (int k = 2; k < count; k++)
        bench_row(cases[k].variant, (long long)all->n, "of_cub",
                  100 * stats_ratio(cases[1].us, cases[k].us, BENCH_ROUNDS), "%");
    CUDA_CHECK(cudaMemcpy(h, set_x(all, 0), all->n * sizeof *h,
                          cudaMemcpyDeviceToHost));
    exact = sum_exact(all->n, h);
    for (int k = 1; k < count; k++)
        check_case(&cases[k], 0, exact);
    free(h);
}

/* measure the scans */
static void bench_scans(const struct work *all, int sets)
{
    static struct bench_case cases[CASES];
    struct work work[SCANS];
    int count = 0;

    add_case(cases, &count, "copy", run_copy, all);
#ifndef __SIMT__
    add_case(cases, &count, "cub_scan", run_cub_scan, all);
#endif
    for (int how = 0; how < SCANS; how++) {
        work[how] = *all;
        work[how].how = how;
        add_case(cases, &count, scan_labels[how], run_scan, &work[how]);
    }
    bench_measure(cases, count, sets);
    bench_report(cases, count, (long long)all->n, 8.0 * all->n, &cases[0],
                 "of_copy");
    /* compare with the library's time */
    for (int k = 2; k < count; k++)
        bench_row(cases[k].variant, (long long)all->n, "of_cub",
                  100 * stats_ratio(cases[1].us, cases[k].us, BENCH_ROUNDS), "%");
    for (int k = 1; k < count; k++)
        check_case(&cases[k], 1, 0);
}

/* measure one size */
static void bench_size(size_t n, size_t shift, uint64_t seed)
{
    int sets = bench_sets(8 * n);
    size_t pitch = ceil_div(n, 64) * 64, room = pitch * (size_t)sets + 8;
    struct sum_space sum = sum_space_make(n);
    struct scan_space scan = scan_space_make(n);
    struct work all = {0, 0, n, pitch, NULL, NULL, NULL, &sum, &scan, NULL, 0};
    float *d = NULL;

    CUDA_CHECK(cudaMalloc((void **)&d, 2 * room * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&all.out, sizeof(float)));
    fill_small<<<SUM_BLOCKS, SUM_THREADS>>>(2 * room, d, seed);
    CUDA_LAUNCH_CHECK();
    all.x = d + shift;
    all.y = d + room + shift;
    /* give the library its work space */
    #ifndef __SIMT__
    all.temp_bytes = cub_needs(n);
    #endif
    CUDA_CHECK(cudaMalloc(&all.temp, all.temp_bytes + 1));
    bench_sums(&all, sets);
    bench_scans(&all, sets);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(all.out));
    CUDA_CHECK(cudaFree(all.temp));
    sum_space_free(&sum);
    scan_space_free(&scan);
}

/* run a softmax or the moments */
static void run_soft(void *work, int set)
{
    struct work *w = (struct work *)work;

    softmax_run((enum soft_how)w->how, (int)(w->n / w->pitch), (int)w->pitch,
                w->x + (size_t)set * w->n, w->y + (size_t)set * w->n);
}

static void run_moments(void *work, int set)
{
    struct work *w = (struct work *)work;
    int rows = (int)(w->n / w->pitch);

    moments_run(rows, (int)w->pitch, w->x + (size_t)set * w->n, w->y,
                w->y + rows);
}

static void run_soft_copy(void *work, int set)
{
    struct work *w = (struct work *)work;

    CUDA_CHECK(cudaMemcpyAsync(w->y + (size_t)set * w->n,
                               w->x + (size_t)set * w->n, w->n * 4,
                               cudaMemcpyDeviceToDevice, 0));
}

/* check the first row of a softmax */
static void check_soft(struct bench_case *c, size_t cols)
{
    struct work *w = (struct work *)c->work;
    float *x = (float *)check_alloc(2 * cols, sizeof *x), *y = x + cols;
    double *want = (double *)check_alloc(cols, sizeof *want);

    CUDA_CHECK(cudaMemset(w->y, 0xff, cols * sizeof *y));
    c->launch(w, 0);
    CUDA_CHECK(cudaMemcpy(x, w->x, cols * 4, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(y, w->y, cols * 4, cudaMemcpyDeviceToHost));
    softmax_reference(cols, x, want);
    for (size_t i = 0; i < cols; i++)
        CHECK_NEAR(y[i], want[i],
                   bound_softmax((double)cols, (double)cols, (double)cols, 8,
                                 bound_ulps(2, BOUND_FLOAT), BOUND_FLOAT,
                                 want[i]),
                   c->variant);
    free(x);
    free(want);
}

/* measure softmax */
static void bench_soft(size_t n, size_t cols, uint64_t seed)
{
    static struct bench_case cases[CASES];
    struct work work[SOFTS], all = {0, 0, n, cols, NULL, NULL, NULL, NULL, NULL,
                                    NULL, 0};
    int sets = bench_sets(8 * n), count = 0;

    CUDA_CHECK(cudaMalloc((void **)&all.x, 2 * n * (size_t)sets * 4));
    all.y = all.x + n * (size_t)sets;
    fill_small<<<SUM_BLOCKS, SUM_THREADS>>>(n * (size_t)sets, all.x, seed);
    CUDA_LAUNCH_CHECK();
    add_case(cases, &count, "soft_copy", run_soft_copy, &all);
    for (int how = 0; how < SOFTS; how++) {
        work[how] = all;
        work[how].how = how;
        if (how != SOFT_HELD || cols <= SOFT_ITEMS * 1024)
            add_case(cases, &count, soft_labels[how], run_soft, &work[how]);
    }
    bench_measure(cases, count, sets);
    bench_report(cases, count, (long long)cols, 8.0 * n, &cases[0], "of_copy");
    for (int k = 1; k < count; k++)
        check_soft(&cases[k], cols);
    count = 0;
    add_case(cases, &count, "moments", run_moments, &all);
    bench_measure(cases, count, sets);
    bench_report(cases, count, (long long)cols, 4.0 * n, NULL, NULL);
    CUDA_CHECK(cudaFree(all.x));
}

/* record one sum */
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

/* record the orders */
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
    record("gpu", seed, sum, exact,
           bound_sum((double)n, sum_height(SUM_ONCE, n, 0), BOUND_FLOAT,
                     exact));
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&s);
    free(x);
    free(sorted);
}

/* measure all of it */
#ifdef __SIMT__
enum { LARGE = 14, ODD = 10007, SOFT = 12, SEEDS = 1, LINKS_TO_DO = 2 };
#else
enum { LARGE = 28, ODD = 268435399, SOFT = 27, SEEDS = 5, LINKS_TO_DO = 4096 };
#endif

int main(int argc, char **argv)
{
    uint64_t seed =
        args_parse(argc, argv, "sums and scans, measured", NULL, 0);
    int sms = bench_attribute(cudaDevAttrMultiProcessorCount);

    bench_begin("reduce");
    for (int e = LARGE - 8; e <= LARGE; e += 4)
        bench_size((size_t)1 << e, 0, seed);
    bench_size(ODD, 1, seed);
    for (int e = 10; e <= 20 && e <= SOFT; e += 3)
        bench_soft((size_t)1 << SOFT, (size_t)1 << e, seed);
    for (uint64_t s = 1; s <= SEEDS; s++)
        record_orders((size_t)1 << (LARGE - 4), s);
    /* record how often a result repeats */
    bench_row("same_once", 1 << (LARGE - 4), "results",
              count_results(SUM_ONCE, (size_t)1 << (LARGE - 4), 100, 0, seed), "");
    bench_row("same_blocks", 1 << (LARGE - 4), "results",
              count_results(SUM_ONCE, (size_t)1 << (LARGE - 4), 100, 1, seed), "");
    bench_row("same_atomic", 1 << (LARGE - 4), "results",
              count_results(SUM_ATOMIC, (size_t)1 << (LARGE - 4), 100, 0, seed),
              "");
    /* record the rates of the types */
    if (sms > 0) {
        int blocks = LARGE > 20 ? 2 * sms : 2;

        bench_row("rate_float", 0, "per_cycle", rate_of<float>(blocks, LINKS_TO_DO),
                  "");
        bench_row("rate_double", 0, "per_cycle",
                  rate_of<double>(blocks, LINKS_TO_DO), "");
        bench_row("rate_int", 0, "per_cycle", rate_of<int>(blocks, LINKS_TO_DO),
                  "");
    }
    return 0;
}

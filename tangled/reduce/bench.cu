/* bench: sums, scans and softmax beside CUB's and beside reading and copying,
   and what a sum's order does. */
#ifndef __LOOM__
#include <cub/cub.cuh>
#endif

#include "atomics/read.cuh"
#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "reduce/orders.h"
#include "reduce/rate.cuh"
#include "reduce/same.cuh"
#include "reduce/softmax.cuh"
#include "tour/args.h"

/* choose how much to measure */
#ifdef __LOOM__
enum { LEAST = 6, LARGE = 14, ODD = 10007, SOFT = 12, SEEDS = 1 };
enum { LENGTH = 2, RUNS = 9 };
#else
enum { LEAST = 16, LARGE = 28, ODD = 268435399, SOFT = 27, SEEDS = 5 };
enum { LENGTH = 4096, RUNS = 100 };
#endif
#ifdef CUB_NEW
#define NEW "_new"
#else
#define NEW ""
#endif

/* hold what is measured */
static struct {
    size_t n, pitch;
    int cols;
    float *x, *y, *out;
    struct sum_space sum;
    struct scan_space scan;
    void *temp; /* the library's; NULL: it says how much it needs */
    size_t temp_bytes;
} w;

static float *set_of(float *x, int set)
{
    return x + (size_t)set * w.pitch;
}

/* call the library */
#ifndef __LOOM__
enum { CUB_SUM, CUB_SCAN, CUB_ORDERED };

static void run_cub(void *, int how, int set)
{
    long long n = (long long)w.n;
    float *x = set_of(w.x, set), *y = set_of(w.y, set);

    if (how == CUB_SUM)
        CUDA_CHECK(cub::DeviceReduce::Sum(w.temp, w.temp_bytes, x, w.out, n,
                                          cudaStreamPerThread));
    else if (how == CUB_SCAN)
        CUDA_CHECK(cub::DeviceScan::InclusiveSum(w.temp, w.temp_bytes, x, y, n,
                                                 cudaStreamPerThread));
#if CUB_VERSION >= 300500
    else
        CUDA_CHECK(cub::DeviceScan::InclusiveSum(
            x, y, n,
            cuda::std::execution::env{
                cuda::stream_ref{cudaStreamPerThread},
                cuda::execution::require(
                    cuda::execution::determinism::run_to_run)}));
#endif
}

/* Makes room for the larger of the two. */
static void make_room(void)
{
    size_t most = 0;

    for (int how = CUB_SUM; how <= CUB_SCAN; how++) {
        w.temp = NULL;
        run_cub(NULL, how, 0);
        most = w.temp_bytes > most ? w.temp_bytes : most;
    }
    CUDA_CHECK(cudaMalloc(&w.temp, most + 1));
    w.temp_bytes = most;
}
#endif

/* run what is measured */
static void run_read(void *, int, int set)
{
    static int sms;

    if (sms == 0)
        sms = bench_attribute(cudaDevAttrMultiProcessorCount);
    read_run(4 * w.n, set_of(w.x, set), sms, w.out);
}

static void run_copy(void *, int, int set)
{
    CUDA_CHECK(cudaMemcpyAsync(set_of(w.y, set), set_of(w.x, set), w.n * 4,
                               cudaMemcpyDeviceToDevice, 0));
}

static void run_sum(void *, int how, int set)
{
    sum_run((enum sum_how)how, w.n, set_of(w.x, set), &w.sum, 0, w.out);
}

static void run_scan(void *, int how, int set)
{
    scan_run((enum scan_how)how, w.n, 0, set_of(w.x, set), set_of(w.y, set),
             &w.scan, 0, 0);
}

static void run_softmax(void *, int how, int set)
{
    softmax_run((enum soft_how)how, (int)(w.n / (size_t)w.cols), w.cols,
                set_of(w.x, set), set_of(w.y, set));
}

/* list the variants */
static const struct bench_case sums[] = {
    {"read", run_read},
#ifndef __LOOM__
    {"cub_sum" NEW, run_cub, CUB_SUM},
#endif
    {"sum_tree", run_sum, SUM_TREE},
    {"sum_shuffle", run_sum, SUM_SHUFFLE},
    {"sum_wide", run_sum, SUM_WIDE},
    {"sum_once", run_sum, SUM_ONCE},
    {"sum_atomic", run_sum, SUM_ATOMIC},
};
static const struct bench_case scans[] = {
    {"copy", run_copy},
#ifndef __LOOM__
    {"cub_scan" NEW, run_cub, CUB_SCAN},
#if CUB_VERSION >= 300500
    {"cub_ordered" NEW, run_cub, CUB_ORDERED},
#endif
#endif
    {"scan_back", run_scan, SCAN_BACK},
    {"scan_rounds", run_scan, SCAN_ROUNDS},
};
static const struct bench_case softs[] = {
    {"soft_copy", run_copy},
    {"soft_three", run_softmax, SOFT_THREE},
    {"soft_online", run_softmax, SOFT_ONLINE},
    {"soft_four", run_softmax, SOFT_FOUR},
    {"soft_held", run_softmax, SOFT_HELD},
};

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
static void check_soft(const char *name)
{
    size_t cols = (size_t)w.cols;
    float *h = (float *)check_alloc(2 * cols, sizeof *h), *y = h + cols;
    double *want = (double *)check_alloc(cols, sizeof *want), tol;

    CUDA_CHECK(cudaMemcpy(h, w.x, cols * 4, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(y, w.y, cols * 4, cudaMemcpyDeviceToHost));
    softmax_reference(cols, h, want);
    for (size_t i = 0; i < cols; i++) {
        tol = bound_softmax(w.cols, w.cols, w.cols / 32, 8,
                            bound_ulps(2, BOUND_FLOAT), BOUND_FLOAT, want[i]);
        CHECK_NEAR(y[i], want[i], tol, name);
    }
    free(h);
    free(want);
}
static double exact; /* the sum of set 0 */

static void check(const struct bench_case *c)
{
    int sum = c->variant == sums[1].variant || c->launch == run_sum;
    float got;

    CUDA_CHECK(cudaMemset(w.y, 0xff, w.n * 4));
    CUDA_CHECK(cudaMemset(w.out, 0, 4));
    c->launch(NULL, c->how, 0);
    if (c->launch == run_softmax)
        check_soft(c->variant);
    else if (!sum && c->launch != run_read && c->launch != run_copy)
        check_steps<<<1024, 256>>>(w.n, w.x, w.y, w.out);
    CUDA_CHECK(cudaMemcpy(&got, w.out, 4, cudaMemcpyDeviceToHost));
    CHECK(got == (sum ? exact : 0), "%s: %g, not %g", c->variant, got, exact);
}

static double exact_sum(void)
{
    float *h = (float *)check_alloc(w.n, sizeof *h);
    double sum;

    CUDA_CHECK(cudaMemcpy(h, w.x, w.n * 4, cudaMemcpyDeviceToHost));
    sum = sum_exact(w.n, h);
    free(h);
    return sum;
}

/* measure one size */
static void bench_size(size_t n, size_t shift, int cols, uint64_t seed)
{
    struct bench b = {NULL, cols ? cols : (long long)n, 8.0 * n};
    float *d;

    b.sets = bench_sets(4 * n);
    b.check = check;
    w.n = n;
    w.pitch = ceil_div(n + 8, 64) * 64;
    w.cols = cols;
    w.sum = sum_space_make(n);
    w.scan = scan_space_make(n);
#ifndef __LOOM__
    make_room();
#endif
    CUDA_CHECK(cudaMalloc((void **)&w.out, sizeof(float)));
    d = small_floats(2 * w.pitch * (size_t)b.sets, seed);
    w.x = d + shift;
    w.y = d + w.pitch * (size_t)b.sets + shift;
    /* measure sums and scans, or softmax */
    if (cols) {
        int held = cols <= SOFT_ITEMS * 1024;

        b.peer[0] = {"soft_copy", "of_copy"};
        b.peer[1] = {"soft_three", "of_three"};
        bench_run(softs, (int)ARG_COUNT(softs) - !held, &b);
    } else {
        exact = exact_sum();
        b.flops = (double)n;
        b.peer[0] = {"copy", "of_copy"};
        b.peer[1] = {"cub_scan" NEW, "of_cub" NEW};
        bench_run(scans, (int)ARG_COUNT(scans), &b);
        b.bytes = 4.0 * n;
        b.peer[0] = {"read", "of_read"};
        b.peer[1] = {"cub_sum" NEW, "of_cub" NEW};
        bench_run(sums, (int)ARG_COUNT(sums), &b);
    }
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(w.out));
    CUDA_CHECK(cudaFree(w.temp));
    sum_space_free(&w.sum);
    scan_space_free(&w.scan);
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
int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "sums and scans, measured", NULL, 0);
    long long n = 1LL << (LARGE - 4);
    int blocks = 2 * bench_attribute(cudaDevAttrMultiProcessorCount);
    const struct {
        const char *name;
        int scan, how, vary;
    } same[] = {{"same_once", 0, SUM_ONCE, 0},
                {"same_blocks", 0, SUM_ONCE, 1},
                {"same_atomic", 0, SUM_ATOMIC, 0},
                {"same_rounds", 1, SCAN_ROUNDS, 0},
                {"same_back", 1, SCAN_BACK, 0}};

    bench_begin("reduce");
#ifdef CUB_VERSION /* 300100 is 3.1.0 */
    bench_library("CUB" NEW, CUB_VERSION / 100000 * 10000 +
                                 CUB_VERSION / 100 % 1000 * 100 +
                                 CUB_VERSION % 100);
#endif
    for (int e = LEAST; e <= LARGE; e += 4)
        bench_size((size_t)1 << e, 0, 0, seed);
    bench_size(ODD, 1, 0, seed);
    if (*NEW) /* only what stands beside CUB */
        return 0;
    for (int e = 10; e <= 20 && e <= SOFT; e += 3)
        bench_size((size_t)1 << SOFT, 0, 1 << e, seed);
    for (uint64_t s = 1; s <= SEEDS; s++)
        record_orders((size_t)n, s);
    for (size_t k = 0; k < ARG_COUNT(same); k++)
        bench_row(same[k].name, n, "results",
                  count_results(same[k].scan, same[k].how, (size_t)n, RUNS,
                                same[k].vary, seed),
                  "");
    bench_row("rate_float", 0, "per_cycle", rate_of<float>(blocks, LENGTH), "");
    bench_row("rate_double", 0, "per_cycle", rate_of<double>(blocks, LENGTH),
              "");
    bench_row("rate_int", 0, "per_cycle", rate_of<int>(blocks, LENGTH), "");
    return 0;
}

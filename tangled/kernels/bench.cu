/* bench: vector addition in all variants beside the copy and cuBLAS. */
#include <cublas_v2.h>
#include <string.h>

#include "kernels/batch.cuh"
#include "kernels/vecadd.cuh"
#include "measure/bench.h"
#include "tour/args.h"
#include "tour/rng.h"

/* hold the sets of vectors */
struct add_work {
    const struct add_variant *variant;
    size_t n;
    float *sets, *copies; /* 3 n floats for each set */
};

/* x of a set; y begins n floats behind it, and z another n. */
static float *set_x(const struct add_work *w, int set)
{
    return w->sets + 3 * w->n * (size_t)set;
}

/* run a variant or the copy on a set */
static void run_add(void *work, int set)
{
    struct add_work *w = (struct add_work *)work;
    int block = w->variant->launch == launch_one_block ? 1024 : 256;
    float *x = set_x(w, set);

    w->variant->launch(w->n, block, x, x + w->n, x + 2 * w->n);
}

static void run_copy(void *work, int set)
{
    struct add_work *w = (struct add_work *)work;
    float *from = w->copies + 3 * w->n * (size_t)set;

    CUDA_CHECK(cudaMemcpyAsync(from + w->n / 2 * 3, from,
                               w->n / 2 * 3 * sizeof(float),
                               cudaMemcpyDeviceToDevice, 0));
}

/* add with cuBLAS */
static cublasHandle_t cublas;

/* y = alpha x + y: reads x and y, writes y, 12 bytes an element. */
static void run_saxpy(void *work, int set)
{
    struct add_work *w = (struct add_work *)work;
    const float alpha = 1.0f / (1 << 24);
    float *x = set_x(w, set);
    cublasStatus_t status;

    status = cublasSaxpy(cublas, (int)w->n, &alpha, x, 1, x + 2 * w->n, 1);
    CHECK(status == CUBLAS_STATUS_SUCCESS, "cublasSaxpy: status %d", status);
}

/* check cuBLAS on whole numbers */
static void check_saxpy(int n, uint64_t seed)
{
    size_t bytes = (size_t)n * sizeof(float);
    float *h = (float *)check_alloc(3 * (size_t)n, sizeof *h), *d, two = 2;

    rng_fill_small(h, 2 * (size_t)n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * bytes));
    CUDA_CHECK(cudaMemcpy(d, h, 2 * bytes, cudaMemcpyHostToDevice));
    CHECK(cublasSaxpy(cublas, n, &two, d, 1, d + n, 1) == CUBLAS_STATUS_SUCCESS,
          "cublasSaxpy of %d elements", n);
    CUDA_CHECK(cudaMemcpy(h + 2 * n, d + n, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(h[2 * n + i] == 2 * h[i] + h[n + i], "saxpy: y[%d] is %g, not %g",
              i, h[2 * n + i], 2 * h[i] + h[n + i]);
    CUDA_CHECK(cudaFree(d));
    free(h);
}

/* fill with random floats on the device */
__global__ void fill_random(size_t n, float *x, uint64_t seed)
{
    /* find my first element and the step */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (; i < n; i += step)
        x[i] = rng_to_float(rng_at(seed, i));
}

static float *random_floats(size_t n, uint64_t seed)
{
    float *d_x;

    CUDA_CHECK(cudaMalloc((void **)&d_x, n * sizeof *d_x));
    fill_random<<<STRIDE_BLOCKS, 256>>>(n, d_x, seed);
    CUDA_LAUNCH_CHECK();
    return d_x;
}

/* check a variant in the same run */
static void check_variant(struct add_work *w)
{
    size_t n = w->n, bytes = n * sizeof(float);
    float *h = (float *)check_alloc(3 * n, sizeof *h);

    CUDA_CHECK(cudaMemset(w->sets + 2 * n, 0xff, bytes));
    run_add(w, 0);
    CUDA_CHECK(cudaMemcpy(h, w->sets, 3 * bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[2 * n + i] == h[i] + h[n + i],
              "%s at %zu elements: z[%zu] is %.9g, not %.9g", w->variant->name,
              n, i, h[2 * n + i], h[i] + h[n + i]);
    free(h);
}

/* measure one size */
enum { CASES = ADD_VARIANTS + 2 };

static void bench_size(size_t n, uint64_t seed)
{
    static struct bench_case cases[CASES];
    struct add_work work[CASES];
    size_t bytes = 12 * n;
    int sets = bench_sets(bytes), count = 0;
    float *d_sets = random_floats(3 * n * (size_t)sets, seed);
    float *d_copies = random_floats(3 * n * (size_t)sets, seed + 1);

    memset(cases, 0, sizeof cases);
    /* set up the copy, the variants and cuBLAS */
    cases[count].variant = "copy";
    cases[count++].launch = run_copy;
    for (int k = 0; k < ADD_VARIANTS; k++) {
        int slow = add_variants[k].launch == launch_one_thread;

        if (slow && n > 1 << 20 && n != 1 << 25)
            continue;
        work[count].variant = &add_variants[k];
        cases[count].variant = add_variants[k].name;
        cases[count].rounds = !slow ? 0 : n > 1 << 20 ? 3 : 5;
        cases[count++].launch = run_add;
    }
    cases[count].variant = "saxpy";
    cases[count++].launch = run_saxpy;
    for (int k = 0; k < count; k++) {
        work[k].n = n;
        work[k].sets = d_sets;
        work[k].copies = d_copies;
        cases[k].work = &work[k];
    }
    bench_measure(cases, count, sets);
    bench_report(cases, count, (long long)n, (double)bytes, &cases[0],
                 "of_copy");
    for (int k = 1; k < count - 1; k++)
        check_variant(&work[k]);
    CUDA_CHECK(cudaFree(d_sets));
    CUDA_CHECK(cudaFree(d_copies));
}

/* move the vectors between host and device */
struct move_work {
    size_t n;
    float *h, *d; /* 3 n floats each: x, y, z */
};

static void run_copy_in(void *work, int set)
{
    struct move_work *w = (struct move_work *)work;

    (void)set;
    CUDA_CHECK(cudaMemcpy(w->d, w->h, 2 * w->n * sizeof(float),
                          cudaMemcpyHostToDevice));
}

static void run_copy_out(void *work, int set)
{
    struct move_work *w = (struct move_work *)work;

    (void)set;
    CUDA_CHECK(cudaMemcpy(w->h + 2 * w->n, w->d + 2 * w->n,
                          w->n * sizeof(float), cudaMemcpyDeviceToHost));
}

/* touch managed memory on the host or on the device */
static void run_managed(void *work, int set)
{
    struct move_work *w = (struct move_work *)work;

    (void)set;
    launch_grid(w->n, 256, w->d, w->d + w->n, w->d + 2 * w->n);
}

static void touch_on_host(void *work, int set)
{
    struct move_work *w = (struct move_work *)work;

    (void)set;
    CUDA_CHECK(cudaDeviceSynchronize());
    memcpy(w->d, w->h, 3 * w->n * sizeof(float));
}

static void touch_on_device(void *work, int set)
{
    run_managed(work, set);
    CUDA_CHECK(cudaDeviceSynchronize());
}

/* measure transfers and managed memory */
static void bench_moves(size_t n, uint64_t seed)
{
    struct move_work w = {n, NULL, NULL}, m = {n, NULL, NULL};
    struct bench_case in = {"copy_in", run_copy_in, &w, NULL, 9, 0, {0}};
    struct bench_case out = {"copy_out", run_copy_out, &w, NULL, 9, 0, {0}};
    struct bench_case pages[2] = {
        {"managed_first", run_managed, &m, touch_on_host, 5, 0, {0}},
        {"managed_second", run_managed, &m, touch_on_device, 5, 0, {0}}};

    w.h = m.h = (float *)check_alloc(3 * n, sizeof(float));
    rng_fill_float(w.h, 3 * n, seed);
    w.d = random_floats(3 * n, seed);
    CUDA_CHECK(cudaMallocManaged((void **)&m.d, 3 * n * sizeof(float)));
    bench_measure(&in, 1, 1);
    bench_report(&in, 1, (long long)n, 8.0 * n, NULL, NULL);
    bench_measure(&out, 1, 1);
    bench_report(&out, 1, (long long)n, 4.0 * n, NULL, NULL);
    bench_measure(pages, 2, 1);
    bench_report(pages, 2, (long long)n, 12.0 * n, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        CHECK(m.d[2 * n + i] == m.d[i] + m.d[n + i], "managed: z[%zu]", i);
    CUDA_CHECK(cudaFree(m.d));
    CUDA_CHECK(cudaFree(w.d));
    free(w.h);
}

/* measure a batch in both mappings */
struct batch_work {
    bias_launcher launch;
    int batch, length;
    float *in, *out, *bias;
};

static void run_batch(void *work, int set)
{
    struct batch_work *w = (struct batch_work *)work;
    size_t offset = (size_t)set * w->batch * w->length;

    w->launch(w->batch, w->length, w->in + offset, w->bias, w->out + offset);
}

/* check a layout in the same run */
static void check_batch(struct batch_work *w)
{
    size_t n = (size_t)w->batch * w->length, bytes = n * sizeof(float);
    float *h = (float *)check_alloc(2 * n + w->length, sizeof *h);

    CUDA_CHECK(cudaMemset(w->out, 0xff, bytes));
    run_batch(w, 0);
    CUDA_CHECK(cudaMemcpy(h, w->in, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h + n, w->out, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h + 2 * n, w->bias, w->length * sizeof(float),
                          cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[n + i] == h[i] + h[2 * n + i % w->length],
              "batch of %d x %d: element %zu is %.9g", w->batch, w->length, i,
              h[n + i]);
    free(h);
}

static void bench_batch(size_t batch, size_t length, uint64_t seed)
{
    static struct bench_case cases[2];
    struct batch_work work[2];
    size_t n = batch * length;
    int sets = bench_sets(8 * n);

    /* set up the two layouts */
    memset(cases, 0, sizeof cases);
    work[0].batch = (int)batch;
    work[0].length = (int)length;
    work[0].in = random_floats(n * (size_t)sets, seed);
    work[0].out = random_floats(n * (size_t)sets, seed + 1);
    work[0].bias = random_floats(length, seed + 2);
    work[1] = work[0];
    work[0].launch = launch_by_row;
    work[1].launch = launch_by_tile;
    cases[0].variant = "batch_by_row";
    cases[1].variant = "batch_by_tile";
    for (int k = 0; k < 2; k++) {
        cases[k].launch = run_batch;
        cases[k].work = &work[k];
    }
    bench_measure(cases, 2, sets);
    bench_report(cases, 2, (long long)batch, 8.0 * n, NULL, NULL);
    for (int k = 0; k < 2; k++)
        check_batch(&work[k]);
    /* free the batch */
    CUDA_CHECK(cudaFree(work[0].in));
    CUDA_CHECK(cudaFree(work[0].out));
    CUDA_CHECK(cudaFree(work[0].bias));
}

/* choose how far to measure */
#ifdef __LOOM__
enum { MOST = 12 };
#else
enum { MOST = 26 };
#endif

/* run the benchmark */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", MOST, 10, 28)};
    uint64_t seed =
        args_parse(argc, argv, "time vector addition up to 2^log2 elements",
                   args, ARG_COUNT(args));
    int most = (int)args[0].value;

    CHECK(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "no cuBLAS handle");
    check_saxpy(1000, 1);
    bench_begin("kernels");
    /* measure all sizes, transfers and batches */
    for (int e = 10; e <= most; e += e == 24 || e == 25 ? 1 : 2)
        bench_size((size_t)1 << e, seed);
    bench_moves((size_t)1 << (most < 25 ? most : 25), seed);
    for (int e = 0; e <= most - 5 && e <= 18; e += 3)
        bench_batch((size_t)1 << e, (size_t)1 << ((most < 24 ? most : 24) - e),
                    seed);
    CHECK(cublasDestroy(cublas) == CUBLAS_STATUS_SUCCESS, "cuBLAS handle");
    return 0;
}

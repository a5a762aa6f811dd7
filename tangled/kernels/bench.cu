/* bench: vector addition in all variants beside the copy and cuBLAS. */
#include <cublas_v2.h>
#include <string.h>

#include "kernels/batch.cuh"
#include "kernels/fill.cuh"
#include "kernels/vecadd.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* add the vectors of a set */
static struct vectors {
    size_t n;
    float *sets, *copies; /* 3 n floats for each set */
    cublasHandle_t cublas;
} v;

static void run_add(void *, int how, int set)
{
    int block = add_variants[how].launch == launch_one_block ? 1024 : 256;
    float *x = v.sets + 3 * v.n * (size_t)set;

    add_variants[how].launch(v.n, block, x, x + v.n, x + 2 * v.n);
}

static void run_copy(void *, int, int set)
{
    float *from = v.copies + 3 * v.n * (size_t)set;

    CUDA_CHECK(cudaMemcpyAsync(from + v.n / 2 * 3, from,
                               v.n / 2 * 3 * sizeof(float),
                               cudaMemcpyDeviceToDevice, 0));
}

static void run_saxpy(void *, int, int set)
{
    const float alpha = 1.0f / (1 << 24);
    float *x = v.sets + 3 * v.n * (size_t)set;

    CHECK(cublasSaxpy(v.cublas, (int)v.n, &alpha, x, 1, x + 2 * v.n, 1) ==
              CUBLAS_STATUS_SUCCESS,
          "cublasSaxpy of %zu elements", v.n);
}

/* add every eighth element with one thread */
static const size_t eighth = 8;

static __global__ void add_eighth(size_t n, const float *x, const float *y,
                                  float *z)
{
    for (size_t i = 0; i < n; i += eighth)
        z[i] = x[i] + y[i];
}

static void run_eighth(void *, int, int set)
{
    float *x = v.sets + 3 * v.n * (size_t)set;

    add_eighth<<<1, 1>>>(v.n, x, x + v.n, x + 2 * v.n);
    CUDA_CHECK(cudaGetLastError());
}

/* check a sum in the same run */
static void check_sum(const struct bench_case *c)
{
    float *h = (float *)check_alloc(3 * v.n, sizeof *h), want;
    int added = c->launch != run_saxpy;

    if (c->launch != run_copy) {
        const float scale = c->launch == run_saxpy ? 1.0f / (1 << 24) : 1;

        CUDA_CHECK(cudaMemset(v.sets + 2 * v.n, added ? 0xff : 0,
                              v.n * sizeof(float)));
        c->launch(NULL, c->how, 0);
        CUDA_CHECK(cudaMemcpy(h, v.sets, 3 * v.n * sizeof(float),
                              cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < v.n; i += c->launch == run_eighth ? eighth : 1) {
            want = scale * h[i] + (added ? h[v.n + i] : 0);
            CHECK(h[2 * v.n + i] == want, "%s of %zu: z[%zu] is %.9g, not %.9g",
                  c->variant, v.n, i, h[2 * v.n + i], want);
        }
    }
    free(h);
}

/* measure one size */
static void bench_size(size_t n, uint64_t seed)
{
    struct bench_case table[ADD_VARIANTS + 3] = {{"copy", run_copy}};
    struct bench b = {NULL, (long long)n, 12.0 * n, 0};
    int count = 1;

    b.sets = bench_sets(8 * n);
    b.check = check_sum;
    b.peer[0] = {"copy", "of_copy"};
    v.n = n;
    v.sets = random_floats(3 * n * (size_t)b.sets, seed);
    v.copies = random_floats(3 * n * (size_t)b.sets, seed + 1);
    for (int k = 0; k < ADD_VARIANTS; k++) {
        int slow = add_variants[k].launch == launch_one_thread;

        if (slow && n > 1 << 20 && n != 1 << 25)
            continue;
        table[count] = {add_variants[k].name, run_add, k};
        table[count++].rounds = slow ? 3 : 0;
    }
    if (n == 1 << 20)
        table[count++] = {"one_eighth",      run_eighth, 0, NULL, 0,
                          12.0 * n / eighth, 0,          3};
    table[count++] = {"saxpy", run_saxpy};
    bench_run(table, count, &b);
    CUDA_CHECK(cudaFree(v.sets));
    CUDA_CHECK(cudaFree(v.copies));
}

/* measure transfers and managed memory */
struct pages {
    size_t n;
    float *h, *d, *managed; /* 3 n floats each: x, y, z */
};

static void run_move(void *work, int out, int)
{
    struct pages *p = (struct pages *)work;

    if (out)
        CUDA_CHECK(cudaMemcpy(p->h + 2 * p->n, p->d + 2 * p->n,
                              p->n * sizeof(float), cudaMemcpyDeviceToHost));
    else
        CUDA_CHECK(cudaMemcpy(p->d, p->h, 2 * p->n * sizeof(float),
                              cudaMemcpyHostToDevice));
}

static void run_managed(void *work, int, int)
{
    struct pages *p = (struct pages *)work;
    float *x = p->managed;

    launch_grid(p->n, 256, x, x + p->n, x + 2 * p->n);
}

static void touch(void *work, int on_device, int)
{
    struct pages *p = (struct pages *)work;

    if (on_device)
        run_managed(work, 0, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (!on_device)
        memcpy(p->managed, p->h, 3 * p->n * sizeof(float));
}

static void bench_moves(size_t n, uint64_t seed)
{
    struct pages p = {n, (float *)check_alloc(3 * n, sizeof(float)),
                      random_floats(3 * n, seed), NULL};
    struct bench b = {&p, (long long)n};
    struct bench_case table[] = {
        {"copy_in", run_move, 0, NULL, 0, 8.0 * n, 0, 9, 1},
        {"copy_out", run_move, 1, NULL, 0, 4.0 * n, 0, 9, 1},
        {"managed_first", run_managed, 0, NULL, 0, 12.0 * n, 0, 5, 1, touch},
        {"managed_second", run_managed, 1, NULL, 0, 12.0 * n, 0, 5, 1, touch}};

    rng_fill_float(p.h, 3 * n, seed);
    CUDA_CHECK(cudaMallocManaged((void **)&p.managed, 3 * n * sizeof(float)));
    bench_run(table, 4, &b);
    for (size_t i = 0; i < n; i++)
        CHECK(p.managed[2 * n + i] == p.managed[i] + p.managed[n + i],
              "managed: z[%zu]", i);
    CUDA_CHECK(cudaFree(p.managed));
    CUDA_CHECK(cudaFree(p.d));
    free(p.h);
}

/* measure a batch in both mappings */
struct batch {
    int rows, length;
    float *in, *out, *bias;
};

static void run_batch(void *work, int tile, int set)
{
    struct batch *w = (struct batch *)work;
    size_t at = (size_t)set * w->rows * w->length;

    (tile ? launch_by_tile : launch_by_row)(w->rows, w->length, w->in + at,
                                            w->bias, w->out + at);
}

static void check_batch(const struct bench_case *c)
{
    struct batch *w = (struct batch *)c->work;
    size_t n = (size_t)w->rows * w->length, bytes = n * sizeof(float);
    float *h = (float *)check_alloc(2 * n + w->length, sizeof *h);

    CUDA_CHECK(cudaMemset(w->out, 0xff, bytes));
    run_batch(w, c->how, 0);
    CUDA_CHECK(cudaMemcpy(h, w->in, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h + n, w->out, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h + 2 * n, w->bias, w->length * sizeof(float),
                          cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[n + i] == h[i] + h[2 * n + i % w->length],
              "%s, %d x %d: element %zu is %.9g", c->variant, w->rows,
              w->length, i, h[n + i]);
    free(h);
}

static void bench_batch(size_t rows, size_t length, uint64_t seed)
{
    static const struct bench_case table[] = {{"batch_by_row", run_batch, 0},
                                              {"batch_by_tile", run_batch, 1}};
    size_t n = rows * length, sets = (size_t)bench_sets(4 * n);
    struct batch w = {(int)rows, (int)length, random_floats(n * sets, seed),
                      random_floats(n * sets, seed + 1),
                      random_floats(length, seed + 2)};
    struct bench b = {&w, (long long)rows, 8.0 * n, 0, (int)sets, check_batch};

    bench_run(table, 2, &b);
    CUDA_CHECK(cudaFree(w.in));
    CUDA_CHECK(cudaFree(w.out));
    CUDA_CHECK(cudaFree(w.bias));
}

/* run the benchmark */
#ifdef __LOOM__
enum { MOST = 12 };
#else
enum { MOST = 26 };
#endif

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", MOST, 10, 28)};
    uint64_t seed =
        args_parse(argc, argv, "time vector addition up to 2^log2 elements",
                   args, ARG_COUNT(args));
    int most = (int)args[0].value, version = 0;

    bench_begin("kernels");
    CHECK(cublasCreate(&v.cublas) == CUBLAS_STATUS_SUCCESS &&
              cublasGetVersion(v.cublas, &version) == CUBLAS_STATUS_SUCCESS &&
              cublasSetStream(v.cublas, cudaStreamPerThread) ==
                  CUBLAS_STATUS_SUCCESS,
          "cuBLAS does not start");
    bench_library("cuBLAS", version);
    for (int e = 10; e <= most; e += e == 24 || e == 25 ? 1 : 2)
        bench_size((size_t)1 << e, seed);
    bench_moves((size_t)1 << (most < 25 ? most : 25), seed);
    for (int e = 0; e <= most - 5 && e <= 18; e += 3)
        bench_batch((size_t)1 << e, (size_t)1 << ((most < 24 ? most : 24) - e),
                    seed);
    CHECK(cublasDestroy(v.cublas) == CUBLAS_STATUS_SUCCESS, "cuBLAS");
    return 0;
}

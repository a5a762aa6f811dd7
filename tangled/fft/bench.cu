/* bench: transforms beside cuFFT and a copy; a filter of an image beside the
   convolutions of chapter 16. */
#ifdef __LOOM__
#define FFT_FEW
#else
#define FFT_UNMIXED
#endif
#include "conv/forward.cuh"
#include "dft/library.cuh"
#include "dft/trial.h"
#include "fft/filter.cuh"
#include "fft/levels.cuh"
#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "measure/clock.h"
#include "tour/args.h"

/* hold what is measured */
enum { PLANS = 4 }; /* at a time */

static struct state {
    int n, rows;  /* of the transforms; rows in a batch */
    size_t count; /* numbers in an array */
    float2 *in, *out, *roots;
    struct fft_plan plan[PLANS];
    struct cplx *want[2]; /* of the first and the last row, once known */
    cufftHandle library;
    struct conv image;
    float *taps;
    double library_error;
    float2 *image_want; /* the library's image */
} s;

/* run a way */
enum way {
    LIBRARY,
    COPY,
    LIBRARY_REAL,
    IMAGE_DIRECT,
    IMAGE_IMPLICIT,
    IMAGE_FFT,
    PLAN,              /* and its number */
    LEVELS = PLAN + 64 /* and the radix */
};

static void run_way(void *, int how, int)
{
    cudaStream_t stream = cudaStreamPerThread;

    if (how == LIBRARY)
        CUFFT_CHECK(cufftExecC2C(s.library, s.in, s.out, CUFFT_FORWARD));
    else if (how == COPY)
        CUDA_CHECK(cudaMemcpyAsync(s.out, s.in, s.count * sizeof *s.in,
                                   cudaMemcpyDeviceToDevice, stream));
    else if (how == LIBRARY_REAL)
        CUFFT_CHECK(cufftExecR2C(s.library, (float *)s.in, s.out));
    else if (how == IMAGE_DIRECT)
        launch_direct(gather_forward(&s.image), (float *)s.in, s.taps,
                      (float *)s.out, stream);
    else if (how == IMAGE_IMPLICIT)
        launch_tile<0, 64, 128, 8, 8>(gather_forward(&s.image), (float *)s.in,
                                      s.taps, (float *)s.out, stream);
    else if (how == IMAGE_FFT)
        fft_filter(&s.plan[0], s.image.h, s.image.w, (float *)s.in,
                   (float *)s.out, stream);
    else if (how < LEVELS && s.plan[how - PLAN].kind == FFT_R2C)
        fft_r2c(&s.plan[how - PLAN], s.n, (float *)s.in, s.out, stream);
    else if (how < LEVELS)
        fft_c2c(&s.plan[how - PLAN], s.n, s.in, s.out, FFT_FORWARD, stream);
    else /* overwrites its input: what it transforms changes, not how fast */
        fft_levels(how - LEVELS, s.count, s.n, s.roots, s.in, s.out, stream);
}

/* check the first and the last transform */
/* The relative error of transform b of the output. */
static double row_error(int real, int b)
{
    int n = s.n, bins = real ? n / 2 + 1 : n, f = real ? 1 : 2;
    float *h = (float *)check_alloc((size_t)f * n, sizeof *h);
    float2 *y = (float2 *)check_alloc((size_t)bins, sizeof *y);
    struct cplx *x = cplx_alloc(n), *want = s.want[b > 0];
    double off = 0, all = 0;

    CUDA_CHECK(cudaMemcpy(h, (float *)s.in + (size_t)f * n * b,
                          f * n * sizeof *h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(y, s.out + (size_t)bins * b, bins * sizeof *y,
                          cudaMemcpyDeviceToHost));
    for (int j = 0; j < n; j++) {
        x[j].re = h[f * j];
        x[j].im = real ? 0 : h[2 * j + 1];
    }
    if (!want) { /* the same for all ways */
        want = s.want[b > 0] = cplx_alloc(n);
        fft_any(n, -1, x, want);
    }
    for (int k = 0; k < bins; k++) {
        off += pow(y[k].x - want[k].re, 2) + pow(y[k].y - want[k].im, 2);
        all += pow(want[k].re, 2) + pow(want[k].im, 2);
    }
    free(h), free(y), free(x);
    return sqrt(off / all);
}

static void check_way(const struct bench_case *c)
{
    int real = c->how == LIBRARY_REAL ||
               (c->how >= PLAN && s.plan[c->how - PLAN].kind == FFT_R2C);
    int library = c->how == LIBRARY || c->how == LIBRARY_REAL;
    double error = 0;

    if (c->how == COPY)
        return;
    CUDA_CHECK(cudaMemset(s.out, 0xff, s.count * sizeof *s.out));
    run_way(NULL, c->how, 0);
    for (int b = 0; b<s.rows; b += s.rows> 1 ? s.rows - 1 : 1)
        error = fmax(error, row_error(real, b));
    if (library)
        s.library_error = error;
    CHECK(error <= 1.5 * s.library_error + BOUND_FLOAT,
          "%s of %d: off by %.3g of its size, the library by %.3g", c->variant,
          s.n, error, s.library_error);
    bench_row(c->variant, c->size, "error", error / BOUND_FLOAT, "u");
}

/* check an image */
/* The first image against the library's, which comes first. */
static void check_image(const struct bench_case *c)
{
    size_t n = (size_t)s.n * s.n;
    float2 *got = (float2 *)check_alloc(n, sizeof *got);
    double off = 0, all = 0;

    CUDA_CHECK(cudaMemset(s.out, 0xff, s.count * sizeof *s.out));
    run_way(NULL, c->how, 0);
    CUDA_CHECK(cudaMemcpy(got, s.out, n * sizeof *got, cudaMemcpyDeviceToHost));
    if (c->how == LIBRARY) {
        s.image_want = got;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        float2 want = s.image_want[i];

        off += pow(got[i].x - want.x, 2) + pow(got[i].y - want.y, 2);
        all += pow(want.x, 2) + pow(want.y, 2);
    }
    CHECK(sqrt(off / all) <= 16 * BOUND_FLOAT, "the image is off by %.3g",
          sqrt(off / all));
    free(got);
}

/* check a filter */
/* The first and the last number of the image against the sum. */
static void check_filter(const struct bench_case *c)
{
    int n = s.image.h, k = s.image.r, out = n - k + 1;
    int pitch = c->how == IMAGE_FFT ? n : out;
    float *x = (float *)check_alloc((size_t)n * n, sizeof *x), y;
    float *w = (float *)check_alloc((size_t)k * k, sizeof *w);

    CUDA_CHECK(cudaMemset(s.out, 0xff, s.count * sizeof *s.out));
    run_way(NULL, c->how, 0);
    CUDA_CHECK(
        cudaMemcpy(x, s.in, (size_t)n * n * sizeof *x, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(w, s.taps, (size_t)k * k * sizeof *w,
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i<out; i += out> 1 ? out - 1 : 1) {
        double sum = 0;

        for (int a = 0; a < k * k; a++)
            sum += (double)w[a] * x[(size_t)(i + a / k) * n + i + a % k];
        CUDA_CHECK(cudaMemcpy(&y, (float *)s.out + (size_t)i * pitch + i,
                              sizeof y, cudaMemcpyDeviceToHost));
        CHECK_NEAR(y, sum, BOUND_FLOAT * (64 + 4 * sqrt(k * k)) * (1 + k * k),
                   "roundings of a long sum, or of each level");
    }
    free(x), free(w);
}

/* open and close the arrays */
static void open_arrays(int n, size_t count)
{
    s.n = n;
    s.rows = (int)(count / n);
    s.count = count;
    CUDA_CHECK(
        cudaMalloc((void **)&s.out, (count + s.rows + 1) * sizeof *s.out));
    s.in = (float2 *)random_floats(2 * count, 7);
}

static void close_arrays(void)
{
    CUDA_CHECK(cudaFree(s.in));
    CUDA_CHECK(cudaFree(s.out));
    for (int i = 0; i < 2; i++) {
        free(s.want[i]);
        s.want[i] = NULL;
    }
}

/* make plans */
/* Adds a case for a plan; returns how many there are. */
static int add_plan(struct bench_case *table, int cases, const char *name,
                    struct fft_wish w)
{
    int i = 0;

    while (i < PLANS && s.plan[i].n)
        i++;
    CHECK(i < PLANS, "%s of %d: more than %d plans", name, w.n, PLANS);
    s.plan[i] = fft_plan_make(w);
    table[cases] = {name, run_way, PLAN + i};
    return cases + 1;
}

/* Is there a plan of n points that goes this way? */
static int has_way(const struct fft_plan *p, int n, enum fft_way way)
{
    return way == FFT_FOUR_STEPS ? (n & (n - 1)) == 0
           : way == FFT_RELAY    ? fft_find_relay(p, n) != NULL
                                 : fft_find_cluster(p, n) != NULL;
}

static void free_plans(void)
{
    for (int i = 0; i < PLANS; i++)
        fft_plan_free(&s.plan[i]);
}

/* measure a length */
/* Complex transforms of n points, `count` numbers in all. */
static void measure(int n, size_t count)
{
    static const char *const ways[] = {"c2c", "four_steps", "relay", "cluster"};
    struct bench b = {NULL, n, 0, 0};
    struct fft_wish w = {n, 0, FFT_C2C, (int)(count / n)};
    struct bench_case table[3 + PLANS] = {{"library", run_way, LIBRARY},
                                          {"copy", run_way, COPY}};
    int cases = 2;
    double memory;

    open_arrays(n, count / n * n);
    cases = add_plan(table, cases, "c2c", w);
    memory = (double)fft_bytes(&s.plan[0]);
    for (w.way = FFT_FOUR_STEPS; n > MIXED_MOST && w.way < FFT_WAYS;
         w.way = (enum fft_way)(w.way + 1))
        if (has_way(&s.plan[0], n, w.way))
            cases = add_plan(table, cases, ways[w.way], w);
    CUFFT_CHECK(cufftPlan1d(&s.library, n, CUFFT_C2C, s.rows));
    CUFFT_CHECK(cufftSetStream(s.library, cudaStreamPerThread));
    b.bytes = 16.0 * s.count;
    b.flops = 5 * log2(n) * s.count;
    b.check = check_way;
    b.peer[0] = {"library", "of_cufft"};
    b.peer[1] = {"copy", "of_copy"};
    bench_run(table, cases, &b);
    bench_row("c2c", n, "memory", memory, "B");

/* ask cuFFT for its memory */
#ifndef __LOOM__
    size_t bytes;

    CUFFT_CHECK(cufftGetSize(s.library, &bytes));
    bench_row("library", n, "memory", bytes, "B");
#endif
    CUFFT_CHECK(cufftDestroy(s.library));
    free_plans();
    close_arrays();
}

/* measure real numbers */
static void measure_real(int n, size_t count)
{
    struct bench b = {NULL, n, 0, 0};
    struct fft_wish w = {n, 0, FFT_R2C, (int)(count / n)};
    struct bench_case table[2 + PLANS] = {
        {"library_r2c", run_way, LIBRARY_REAL}};
    int cases = add_plan(table, 1, "r2c", w);

    open_arrays(n, count);
    CUFFT_CHECK(cufftPlan1d(&s.library, n, CUFFT_R2C, s.rows));
    CUFFT_CHECK(cufftSetStream(s.library, cudaStreamPerThread));
    b.bytes = (4.0 * n + 8.0 * (n / 2 + 1)) * s.rows;
    b.check = check_way;
    b.peer[0] = {"library_r2c", "of_cufft"};
    bench_run(table, cases, &b);
    CUFFT_CHECK(cufftDestroy(s.library));
    free_plans();
    close_arrays();
}

/* measure images */
/* `batch` images of n x n. */
static void measure_images(int n, int batch)
{
    int sides[] = {n, n};
    struct bench b = {NULL, n, 0, 0};
    struct fft_wish w = {n, n, FFT_C2C, batch};
    struct bench_case table[3 + PLANS] = {{"library_2d", run_way, LIBRARY}};
    int cases = add_plan(table, 1, "c2c_2d", w);

    open_arrays(n, (size_t)n * n * batch);
    CUFFT_CHECK(cufftPlanMany(&s.library, 2, sides, NULL, 1, n * n, NULL, 1,
                              n * n, CUFFT_C2C, batch));
    CUFFT_CHECK(cufftSetStream(s.library, cudaStreamPerThread));
    b.bytes = 32.0 * s.count;
    b.check = check_image;
    b.peer[0] = {"library_2d", "of_cufft"};
    bench_run(table, cases, &b);
    CUFFT_CHECK(cufftDestroy(s.library));
    free_plans();
    free(s.image_want);
    s.image_want = NULL;
    close_arrays();
}

/* measure the levels */
static void measure_levels(int n, size_t count)
{
    struct bench b = {NULL, n, 16.0 * count, 0};
    struct bench_case table[] = {{"copy", run_way, COPY},
                                 {"levels_2", run_way, LEVELS + 2},
                                 {"levels_4", run_way, LEVELS + 4},
                                 {"levels_8", run_way, LEVELS + 8},
                                 {"levels_16", run_way, LEVELS + 16}};

    open_arrays(n, count);
    s.roots = fft_roots(n);
    b.peer[0] = {"copy", "of_copy"};
    bench_run(table, 5, &b);
    CUDA_CHECK(cudaFree(s.roots));
    close_arrays();
}

/* measure filters */
/* An image of n x n and a filter of k x k. */
static void measure_filter(int n, int k)
{
    struct bench b = {NULL, k, 0, 0};
    struct bench_case table[] = {{"image_fft", run_way, IMAGE_FFT},
                                 {"image_direct", run_way, IMAGE_DIRECT},
                                 {"image_implicit", run_way, IMAGE_IMPLICIT}};
    float *taps = (float *)check_alloc((size_t)k * k, sizeof *taps);

    rng_fill_float(taps, (size_t)k * k, 11);
    open_arrays(n, (size_t)n * n);
    s.image = {1, 1, n, n, 1, k, k, 1, 0, 1};
    s.plan[0] = fft_plan_filter(n, n, k, k, taps, 1);
    CUDA_CHECK(cudaMalloc((void **)&s.taps, (size_t)k * k * sizeof *taps));
    CUDA_CHECK(cudaMemcpy(s.taps, taps, (size_t)k * k * sizeof *taps,
                          cudaMemcpyHostToDevice));
    for (int i = 1; i < 3; i++)
        table[i].rounds = k > 31 ? 5 : 0;
    b.check = check_filter;
    b.peer[0] = {"image_fft", "of_fft"};
    bench_run(table, 3, &b);
    CUDA_CHECK(cudaFree(s.taps));
    free_plans();
    close_arrays();
    free(taps);
}

/* measure the host */
/* The programs of fft.h and the definition, on one processor. */
static void measure_host(int n)
{
    struct cplx *x = cplx_random((size_t)n, 3), *y = cplx_alloc((size_t)n);
    static const char *const names[] = {"host_definition", "host_halves",
                                        "host_in_place", "host_in_order",
                                        "host_any"};

    for (int how = 0; how < 5; how++) {
        double us[9];

        for (int i = 0; i < 9; i++) {
            double start = clock_us();

            if (how == 0)
                dft(n, -1, x, y);
            else if (how == 1)
                fft_halves(n, -1, 1, x, y);
            else if (how == 2)
                fft_in_place(n, -1, x);
            else if (how == 3)
                fft_in_order(n, -1, x, y);
            else
                fft_any(n, -1, x, y);
            us[i] = clock_us() - start;
        }
        bench_spread(names[how], n, "us", stats_of(us, 9), 1, "µs");
    }
    free(x), free(y);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small"), ARG_FLAG("--real"),
                         ARG_NUMBER("--length", 0, 0, FFT_MOST)};
    /* name lengths and filters */
    static const int lengths[] = {
        64,    128,   256,     512,     1024,    2048, 4096, 8192, 16384,
        32768, 65536, 1 << 17, 1 << 18, 1 << 20, 1000, 1009, 5040, 10007};
    static const int filters[] = {3, 5, 7, 9, 11, 15, 21, 31, 63, 127, 255};
    int small, version;
    size_t count;

    args_parse(argc, argv, "transforms beside cuFFT's", args, ARG_COUNT(args));
#ifdef __LOOM__
    small = 1;
#else
    small = (int)args[0].value;
#endif
    count = small ? 1 << 10 : 1 << 27;
    CUFFT_CHECK(cufftGetVersion(&version));
    bench_begin("fft");
    bench_library("cuFFT", version * 10);
    /* measure the lengths */
    for (int i = 0; i < ARG_COUNT(lengths); i++)
        if ((size_t)lengths[i] <= count && !args[1].value &&
            (!args[2].value || args[2].value == lengths[i]))
            measure(lengths[i], count);
    if (args[2].value)
        return 0;
    /* measure the rest */
    for (int n = 128; n <= (small ? 1024 : 8192); n *= 2)
        measure_real(n, count);
    if (args[1].value)
        return 0;
    measure_images(small ? 64 : 4096, small ? 1 : 8);
    measure_levels(4096, small ? 4096 : count);
    for (int i = 0; i < (small ? 1 : ARG_COUNT(filters)); i++)
        measure_filter(small ? 64 : 2048, filters[i]);
    for (int n = 64; n <= 1024; n *= 4)
        measure_host(n);
    return 0;
}

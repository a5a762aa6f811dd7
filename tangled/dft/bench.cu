/* bench: a million numbers transformed in rows of n, by every kernel of this
   chapter and by cuBLAS and cuFFT. */
#include "dft/dft.cuh"
#include "dft/error.h"
#include "dft/library.cuh"
#include "dft/listen.cuh"
#include "kernels/fill.cuh"
#include "matmul/library.cuh"
#include "measure/bench.h"
#include "tour/args.h"

/* hold the arrays of a size */
static struct state {
    int n, rows;
    size_t count;     /* of complex numbers in a set */
    float2 *in, *out; /* one set after the other */
    struct dft_plan p;
    cufftHandle fft, fft_real;
    cublasHandle_t blas;
} s;

/* run one way on a set of rows */
enum way { LIBRARY, LIBRARY_REAL, ANGLE, TABLE, MATRIX, BLAS, BACK, REAL };

static const char *const names[] = {"library", "library_real", "angle", "table",
                                    "matrix",  "cublas",       "back",  "real"};

static void run_way(void *, int how, int set)
{
    float2 *x = s.in + s.count * set, *y = s.out + s.count * set;
    cudaStream_t stream = cudaStreamPerThread;

    if (how == LIBRARY)
        CUFFT_CHECK(cufftExecC2C(s.fft, x, y, CUFFT_FORWARD));
    else if (how == LIBRARY_REAL)
        CUFFT_CHECK(cufftExecR2C(s.fft_real, (float *)x, y));
    else if (how == ANGLE || how == TABLE)
        dft_by_bins(how == ANGLE ? DFT_BY_ANGLE : DFT_BY_TABLE, &s.p, s.rows, x,
                    y, stream);
    else if (how == MATRIX)
        dft_forward(&s.p, s.rows, x, y, stream);
    else if (how == BLAS)
        matmul_library(s.blas, 'N', 'N', s.rows, 2 * s.n, 2 * s.n, 1,
                       (float *)x, 2 * s.n, s.p.matrix, 2 * s.n, 0, (float *)y,
                       2 * s.n, stream);
    else if (how == BACK)
        dft_inverse(&s.p, s.rows, x, y, stream);
    else
        dft_real(&s.p, s.rows, (float *)x, y, stream);
}

/* check two rows of a way */
/* Compares row b and returns its relative error. */
static double check_row(int how, int b)
{
    int n = s.n, real = how == REAL || how == LIBRARY_REAL;
    int bins = real ? n / 2 + 1 : n, in = real ? n : 2 * n;
    float *h = (float *)check_alloc(2 * n + 2 * bins, sizeof *h);
    struct cplx *x = cplx_alloc(n), *want = cplx_alloc(n);
    double scale = how == BACK ? 1.0 / n : 1, error = 0, all = 0, bound = 0;

    CUDA_CHECK(cudaMemcpy(h, (float *)s.in + (size_t)in * b, in * sizeof *h,
                          cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h + 2 * n, s.out + (size_t)bins * b,
                          2 * bins * sizeof *h, cudaMemcpyDeviceToHost));
    for (int j = 0; j < n; j++) {
        x[j].re = h[real ? j : 2 * j];
        x[j].im = real ? 0 : h[2 * j + 1];
    }
    dft(n, how == BACK ? 1 : -1, x, want);
    for (int k = 0; k < bins; k++) {
        double re = h[2 * n + 2 * k] - scale * want[k].re;
        double im = h[2 * n + 2 * k + 1] - scale * want[k].im;

        error += re * re + im * im;
        all += pow(scale * want[k].re, 2) + pow(scale * want[k].im, 2);
    }
    bound = scale * dft_bound(n + 20, dft_total(n, x)) * sqrt(2.0 * bins);
    CHECK(sqrt(error) <= bound, "%s of %d, row %d: off by %g, bound %g",
          names[how], n, b, sqrt(error), bound);
    free(h), free(x), free(want);
    return sqrt(error / all);
}

static void check_way(const struct bench_case *c)
{
    CUDA_CHECK(cudaMemset(s.out, 0xff, s.count * sizeof *s.out));
    run_way(NULL, c->how, 0);
    bench_row(c->variant, c->size, "error", check_row(c->how, 0) / BOUND_FLOAT,
              "u");
    check_row(c->how, s.rows - 1);
}

/* measure a length */
static void measure(int n, int rows)
{
    struct bench b = {NULL, n, 0, 0};
    struct bench_case table[REAL + 1];
    double count = (double)n * rows;
    int bins = n / 2 + 1;

    s.n = n;
    s.rows = rows;
    s.count = (size_t)n * rows;
    b.sets = bench_sets(8 * s.count);
    b.check = check_way;
    b.peer[0] = {"library", "of_library"};
    b.peer[1] = {"cublas", "of_cublas"};
    for (int how = 0; how <= REAL; how++) {
        int real = how == REAL || how == LIBRARY_REAL;

        table[how] = {names[how], run_way, how};
        table[how].bytes = real ? 4 * count + 8.0 * bins * rows : 16 * count;
        table[how].flops = how == LIBRARY || how == LIBRARY_REAL ? 0
                           : how == REAL ? 4.0 * bins * count
                                         : 8 * count * n;
        table[how].rounds = n > 2000 ? 9 : 0;
    }
    s.p = dft_plan_make(n);
    CUFFT_CHECK(cufftPlan1d(&s.fft, n, CUFFT_C2C, rows));
    CUFFT_CHECK(cufftPlan1d(&s.fft_real, n, CUFFT_R2C, rows));
    CUFFT_CHECK(cufftSetStream(s.fft, cudaStreamPerThread));
    CUFFT_CHECK(cufftSetStream(s.fft_real, cudaStreamPerThread));
    CUDA_CHECK(
        cudaMalloc((void **)&s.out, (s.count * b.sets + rows) * sizeof *s.out));
    s.in = (float2 *)random_floats(2 * s.count * b.sets, 7);
    bench_run(table, REAL + 1, &b);
    CUDA_CHECK(cudaFree(s.in));
    CUDA_CHECK(cudaFree(s.out));
    CUFFT_CHECK(cufftDestroy(s.fft));
    CUFFT_CHECK(cufftDestroy(s.fft_real));
    dft_plan_free(&s.p);
}

/* measure the telephone */
static struct phone {
    int rows;
    float2 *turned;
    float *x, *y;
} f;

static void run_keys(void *, int, int set)
{
    goertzel_batch(205, f.rows, 8, f.turned, f.x + (size_t)205 * f.rows * set,
                   f.y, cudaStreamPerThread);
}

static void measure_keys(int rows)
{
    size_t in = (size_t)205 * rows;
    struct bench b = {NULL, rows, 4.0 * in + 32.0 * rows, 24.0 * in};
    struct bench_case table[] = {{"goertzel", run_keys}};

    b.sets = bench_sets(4 * in);
    f.rows = rows;
    f.turned = (float2 *)random_floats(16, 3);
    f.x = random_floats(in * b.sets, 4);
    f.y = random_floats((size_t)8 * rows, 5);
    bench_run(table, 1, &b);
    CUDA_CHECK(cudaFree(f.turned));
    CUDA_CHECK(cudaFree(f.x));
    CUDA_CHECK(cudaFree(f.y));
}

/* print the errors */
static void print_errors(int most)
{
    for (int n = 8; n <= most; n *= 2) {
        double error[ROOTS], bound, edge;

        errors(n, 1, error, &bound, &edge);
        for (int how = 0; how < ROOTS; how++) {
            char name[40];

            snprintf(name, sizeof name, "roots_%s", roots_names[how]);
            bench_row(name, n, "error", error[how] / BOUND_FLOAT, "u");
        }
        bench_row("roots", n, "bound", bound / BOUND_FLOAT, "u");
        bench_row("roots_goertzel", n, "edge", 100 * edge, "%");
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small")};
    static const int lengths[] = {16, 64, 256, 1024, 4096};
    int version, small, most;

    args_parse(argc, argv, "transforms beside cuFFT's", args, ARG_COUNT(args));
    most = args[0].value ? 64 : 4096;
#ifdef __LOOM__
    small = 1;
#else
    small = (int)args[0].value;
#endif
    CUBLAS_CHECK(cublasCreate(&s.blas));
    CUFFT_CHECK(cufftGetVersion(&version));
    bench_begin("dft");
    bench_library("cuBLAS", matmul_library_version(s.blas));
    bench_library("cuFFT", version * 10);
    for (int i = 0; i < (small ? 2 : 5); i++)
        measure(lengths[i], (small ? 1 << 10 : 1 << 20) / lengths[i]);
    measure_keys(small ? 16 : 1 << 16);
    print_errors(most);
    CUBLAS_CHECK(cublasDestroy(s.blas));
    return 0;
}

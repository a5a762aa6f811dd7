/* bench: the rungs and bgemm beside cuBLAS and the fastest of cuBLASLt. */
#include <unistd.h>

#include "gemm/power.cuh"
#include "tensor/lt.cuh"
#include "tensor/measured.cuh"
#include "tensor/rungs.cuh"
#include "tour/args.h"
#ifndef __LOOM__
#include "tensor/epilogues.cuh"
#include "tensor/types.cuh"
#endif

/* list what is measured of bf16 */
static void by_lt(RUNG_TAKES)
{
    (void)ta, (void)tb, (void)m, (void)n, (void)k, (void)lda, (void)ldb;
    (void)ldc, (void)alpha, (void)beta;
    lt_run(a, b, c, stream);
}

static const struct {
    const char *name, *single;
    rung_run run;
} timed[] = {
    {"library", "library_single", by_library16},
    {"lt", "lt_single", by_lt},
    {"bgemm", "bgemm_single", by_bgemm},
    {"wmma", NULL, by_wmma},
    {"mma", NULL, by_fragments},
    {"tma", NULL, by_copies},
    {"roles", NULL, by_groups<group_tile<128, 128, 2, 4, 1>, 0, 1>},
    {"wide", NULL, by_groups<group_tile<128, 256, 2, 4, 1>, 0, 1>},
    {"persistent", NULL, by_groups<group_tile<128, 256, 2, 4, 1>, 1, 8>},
    {"cluster", NULL, by_groups<group_tile<128, 256, 2, 4, 2>, 1, 8>},
    /* candidates for what does not fill the card */
    {"try_small", NULL, by_candidate<tile_small, 0, 0>},
    {"try_side", NULL, by_candidate<tile_side, 0, 0>},
    {"try_turn", NULL, by_candidate<tile_small, 3, 0>},
    {"try_threads", NULL, by_candidate<tile_small, 0, 1>},
    {"try_both", NULL, by_candidate<tile_small, 3, 1>},
    {"try_parts", NULL, by_candidate<tile_parts, 0, 0>},
    {"try_two", NULL, by_candidate<tile_two, 0, 0>},
    {"try_least_two", NULL, by_candidate<tile_least_two, 0, 0>},
    {"try_least", NULL, by_candidate<tile_least, 0, 0>},
    {"try_flat", NULL, by_candidate<tile_flat, 0, 0, 1>},
    {"try_ahead", NULL, by_candidate<tile_small, 0, 0, 1>},
    {"try_side_ahead", NULL, by_candidate<tile_side, 0, 0, 1>}};

enum { TIMED = sizeof timed / sizeof *timed, ANYWHERE = 5, TRIED = 10 };

static void run_timed(void *, int how, int set)
{
    measured_run(timed[how].run, set);
}

/* measure a square of bf16 */
static void measure_single(int n);

static void measure_square16(int n, void *place)
{
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[TIMED];
    const struct bench_case *got;
    int count = 0;

    measured_open(n);
    lt_open(n, place, measured.x, measured.each, measured.sets);
    for (int r = 0; r < TIMED; r++) {
        if ((r >= ANYWHERE && !ladder.h.has_wgmma) ||
            (r >= TRIED && (n < 512 || n > 1024)) || (r == 1 && !lt_is_here()))
            continue;
        table[count] = {timed[r].name, run_timed, r};
        table[count++].rounds = n > 4096 ? 15 : 0;
    }
    b.sets = measured.sets;
    b.check = measured_check;
    b.peer[0] = {"library", "of_cublas"};
    b.peer[1] = {"lt", "of_lt"};
    got = bench_run(table, count, &b);
    for (int r = 0; r < count; r++)
        bench_row(table[r].variant, n, "tflops",
                  b.flops / bench_us(&got[r]) / 1e6, "TFLOP/s");
    for (int r = 0; r < 3 && n >= 2048; r++)
        power_rows(&got[r], measured.sets);
    measure_single(n);
    lt_close();
    CUDA_CHECK(cudaFree(measured.x));
}

/* measure single launches */
static void rest(void *, int, int)
{
#ifndef __LOOM__
    static double *mhz;

    if (!mhz)
        CUDA_CHECK(cudaMalloc((void **)&mhz, sizeof *mhz));
    CUDA_CHECK(cudaDeviceSynchronize());
    usleep(20000);
    bench_count_cycles<<<1, 1>>>(500000, mhz);
#endif
}

static void measure_single(int n)
{
    struct bench b = {NULL, n, 0, 2.0 * n * n * n};
    struct bench_case table[3];
    const struct bench_case *got;
    int count = 0;

    for (int r = 0; r < 3; r++) {
        if (r == 1 && !lt_is_here())
            continue;
        table[count] = {timed[r].single, run_timed, r};
        table[count++].prepare = rest;
    }
    b.sets = measured.sets;
    b.peer[0] = {"library_single", "of_cublas"};
    b.peer[1] = {"lt_single", "of_lt"};
    got = bench_run(table, count, &b);
    for (int r = 0; r < count; r++)
        bench_row(table[r].variant, n, "tflops",
                  b.flops / bench_us(&got[r]) / 1e6, "TFLOP/s");
}

/* verify what writes nothing */
static void run_nothing(void *, int, int)
{
}

/* Does not return. */
static int check_nothing(void)
{
    struct bench_case c = {"nothing", run_nothing};

    measured_open(64);
    measured_check(&c);
    return 1;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {512, 1024, 2048, 4096, 8192};
    struct arg args[] = {ARG_FLAG("--small"), ARG_FLAG("--nothing"),
                         ARG_FLAG("--types")}; /* without the rungs */
    void *place = NULL;
    int small;

    args_parse(argc, argv, "products of bf16 beside the library's", args,
               ARG_COUNT(args));
    small = (int)args[0].value;
    if (args[1].value)
        return check_nothing();
    ladder.h = bgemm_make();
    CUBLAS_CHECK(cublasCreate(&ladder.blas));
    CUDA_CHECK(cudaMalloc(&place, LT_BYTES));
    CUBLAS_CHECK(cublasSetStream(ladder.blas, cudaStreamPerThread));
    CUBLAS_CHECK(cublasSetWorkspace(ladder.blas, place, LT_BYTES));
    bench_begin("tensor");
    bench_library("cuBLAS", matmul_library_version(ladder.blas));
#ifndef __LOOM__
    bgemm_try(&ladder.h);
    bench_row("form", 1024, "number", ladder.h.form, "");
#endif
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!small && !args[2].value)
            measure_square16(sizes[i], place);
    if (small)
        measure_square16(64, place), measure_square16(136, place);

/* measure what only the GPU has */
#ifndef __LOOM__
    measure_errors(small ? 64 : 1024, place);
    measure_types(small ? 64 : 4096, place);
    measure_epilogue(small ? 64 : 2048, place);
    measure_epilogue(small ? 128 : 4096, place);
#endif
    CUBLAS_CHECK(cublasDestroy(ladder.blas));
    CUDA_CHECK(cudaFree(place));
    return 0;
}

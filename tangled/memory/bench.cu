/* bench: the memories, copies, and transposes beside cuBLAS. */
#include <cublas_v2.h>

#include "memory/bench.cuh"

static cublasHandle_t cublas;

static void launch_geam(int rows, int cols, const float *x, float *y)
{
    const float one = 1, zero = 0;

    CHECK(cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, x,
                      cols, &zero, y, rows, y, rows) == CUBLAS_STATUS_SUCCESS,
          "cublasSgeam refuses %d x %d", rows, cols);
}

int main(int argc, char **argv)
{
    struct move geam = {"geam", launch_geam, TURNED};
    struct arg args[] = {ARG_FLAG("--small")};
    uint64_t seed =
        args_parse(argc, argv, "time the memories", args, ARG_COUNT(args));

    CHECK(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "no cuBLAS handle");
    bench_all(args[0].value != 0, seed, &geam);
    CHECK(cublasDestroy(cublas) == CUBLAS_STATUS_SUCCESS, "cuBLAS handle");
    return 0;
}

/* bench: vector addition in all variants beside the copy and cuBLAS. */
#include <cublas_v2.h>

#include "kernels/bench.cuh"

/* add with cuBLAS */
static cublasHandle_t cublas;

/* y = alpha x + y: reads x and y, writes y, 12 bytes an element. */
static void run_saxpy(void *work, int set)
{
    struct add_work *w = (struct add_work *)work;
    const float alpha = 1.0f / (1 << 24);
    cublasStatus_t status;

    status = cublasSaxpy(cublas, (int)w->n, &alpha, set_x(w, set), 1,
                         set_z(w, set), 1);
    CHECK(status == CUBLAS_STATUS_SUCCESS, "cublasSaxpy: status %d", status);
}

int main(int argc, char **argv)
{
    struct bench_case saxpy = {"saxpy", run_saxpy, NULL, NULL, 0, 0, {0}};

    CHECK(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "no cuBLAS handle");
    bench_all(argc, argv, &saxpy);
    CHECK(cublasDestroy(cublas) == CUBLAS_STATUS_SUCCESS, "cuBLAS handle");
    return 0;
}

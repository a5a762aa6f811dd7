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

int main(int argc, char **argv)
{
    struct bench_case saxpy = {"saxpy", run_saxpy, NULL, NULL, 0, 0, {0}};

    CHECK(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "no cuBLAS handle");
    check_saxpy(1000, 1);
    bench_all(argc, argv, &saxpy);
    CHECK(cublasDestroy(cublas) == CUBLAS_STATUS_SUCCESS, "cuBLAS handle");
    return 0;
}

/* wrong: run: cublasSgemm of 64 bytes: the second operand */
#include <cublas_v2.h>

#include "tour/check.h"

int main(void)
{
    float *a, host[16] = {0};
    const float one = 1;
    cublasHandle_t blas;

    if (cublasCreate(&blas) || cudaMalloc(&a, sizeof host) ||
        cudaMemset(a, 0, sizeof host))
        return 1;
    CHECK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4,
                      host, 4, &one, a, 4) == CUBLAS_STATUS_SUCCESS,
          "cublasSgemm has failed");
}

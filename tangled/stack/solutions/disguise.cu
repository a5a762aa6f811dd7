/* disguise.cu: a constant that makes a kernel compute in double. */
#include <stdio.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

__global__ void as_double(float *y)
{
    y[threadIdx.x] = (float)(y[threadIdx.x] * 0.1);
}

__global__ void as_float(float *y)
{
    y[threadIdx.x] = y[threadIdx.x] * 0.1f;
}

/* run both and compare */
int main(void)
{
    float y[2][32], *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof y[0]));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 32; i++)
            y[k][i] = (float)i;
        CUDA_CHECK(cudaMemcpy(d, y[k], sizeof y[k], cudaMemcpyHostToDevice));
        if (k == 0)
            as_double<<<1, 32>>>(d);
        else
            as_float<<<1, 32>>>(d);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(y[k], d, sizeof y[k], cudaMemcpyDeviceToHost));
    }
    CUDA_CHECK(cudaFree(d));
    for (int i = 0; i < 32; i++)
        CHECK_NEAR(y[1][i], y[0][i], 0.1 * i * 0x1p-23,
                   "one unit in the last place of the result");
    printf("disguise: all right\n");
    return 0;
}

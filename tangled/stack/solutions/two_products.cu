/* two_products.cu: y = a x + b y, to look at its PTX. */
#include <stdio.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

__global__ void two_products(float a, const float *x, float b, float *y)
{
    int i = threadIdx.x;

    y[i] = a * x[i] + b * y[i];
}

/* run it on 32 elements */
int main(void)
{
    float x[32], y[32], *d;

    for (int i = 0; i < 32; i++)
        x[i] = y[i] = (float)i;
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof x + sizeof y));
    CUDA_CHECK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d + 32, y, sizeof y, cudaMemcpyHostToDevice));
    two_products<<<1, 32>>>(2.0f, d, 3.0f, d + 32);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(y, d + 32, sizeof y, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        CHECK(y[i] == 5.0f * x[i], "y[%d] is %g", i, y[i]);
    CUDA_CHECK(cudaFree(d));
    printf("two_products: all right\n");
    return 0;
}

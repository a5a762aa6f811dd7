/* wrong: run: the variance is -?[0-9.e+]+, not 1 */
/* wrong: gpu: the variance is -?[0-9.e+]+, not 1 */
#include "kernels/launch.h"
#include "reduce/block.cuh"

/* variance as a difference */
__global__ void variance(const float *x, float *var)
{
    float v = x[threadIdx.x], mean = block_sum(v) / blockDim.x;

    *var = block_sum(v * v) / blockDim.x - mean * mean;
}

int main(void)
{
    float h[32], *d, var;

    for (int i = 0; i < 32; i++)
        h[i] = 10007 + (i % 2 ? 1 : -1); /* the variance is 1 */
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof h + 4));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    variance<<<1, 32>>>(d, d + 32);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&var, d + 32, sizeof var, cudaMemcpyDeviceToHost));
    CHECK(fabs(var - 1) < 0.5, "the variance is %g, not 1", var);
    CUDA_CHECK(cudaFree(d));
    return 0;
}

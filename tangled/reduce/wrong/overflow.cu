/* wrong: run: element 0 is -?nan */
/* wrong: gpu: element 0 is -?nan */
#include "kernels/launch.h"
#include "reduce/block.cuh"

/* softmax as the formula has it */
__global__ void softmax(const float *x, float *y)
{
    float e = expf(x[threadIdx.x]);

    y[threadIdx.x] = e / block_sum(e);
}

int main(void)
{
    float h[32] = {100}, *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 2 * sizeof h));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    softmax<<<1, 32>>>(d, d + 32);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d + 32, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 1, "element 0 is %g", h[0]);
    CUDA_CHECK(cudaFree(d));
    return 0;
}

/* wrong: run: y\[0\] is -?nan, not 0 */
#include <stdio.h>

#include "kernels/launch.h"
#include "memory/async.cuh"

/* forget to wait */
__global__ void forward(const float *x, float *y)
{
    __shared__ float s[32];

    s[threadIdx.x] = NAN;
    async_copy<4>(&s[threadIdx.x], &x[threadIdx.x], 1);
    async_commit();
    __syncthreads(); /* a barrier is no wait for a copy */
    y[threadIdx.x] = s[31 - threadIdx.x];
}

int main(void)
{
    float *d_x, *d_y, h[32];

    CUDA_CHECK(cudaMalloc((void **)&d_x, sizeof h));
    CUDA_CHECK(cudaMalloc((void **)&d_y, sizeof h));
    CUDA_CHECK(cudaMemset(d_x, 0, sizeof h));
    forward<<<1, 32>>>(d_x, d_y);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d_y, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 0, "y[0] is %g, not 0", h[0]);
    return 0;
}

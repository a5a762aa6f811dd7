/* wrong: run: z\[1000\] */
/* wrong: gpu: z\[1000\] was written */
#include <math.h>
#include <stdio.h>

#include "kernels/launch.h"

__global__ void add_unguarded(const float *x, const float *y, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    z[i] = x[i] + y[i]; /* the guard should stand here */
}

enum { N = 1000, ROOM = 1024 };

int main(void)
{
    float *d_x, *d_z, h_z[ROOM];

    /* add without the guard and look behind the end */
    CUDA_CHECK(cudaMalloc((void **)&d_x, ROOM * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&d_z, ROOM * sizeof(float)));
    CUDA_CHECK(cudaMemset(d_x, 0, ROOM * sizeof(float)));
    CUDA_CHECK(cudaMemset(d_z, 0xff, ROOM * sizeof(float)));
    add_unguarded<<<blocks_for(N, 256), 256>>>(d_x, d_x, d_z);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h_z, d_z, sizeof h_z, cudaMemcpyDeviceToHost));
    for (int i = N; i < ROOM; i++)
        CHECK(isnan(h_z[i]), "z[%d] was written, but n is %d", i, N);
    return 0;
}

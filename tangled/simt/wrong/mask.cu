/* wrong: run: with the mask 0x0000ffff, which does not contain it */
#include "kernels/launch.h"
#include "simt/where.cuh"

/* sum with a mask that leaves lanes out */
__global__ void sum_half(float *x)
{
    float v = x[my_number()];

    for (int far = 8; far > 0; far /= 2)
        v += __shfl_xor_sync(0x0000ffffu, v, far); /* lanes 16 to 31, too */
    x[my_number()] = v;
}

int main(void)
{
    float *d_x;

    CUDA_CHECK(cudaMalloc((void **)&d_x, WARP * sizeof *d_x));
    CUDA_CHECK(cudaMemset(d_x, 0, WARP * sizeof *d_x));
    sum_half<<<1, WARP>>>(d_x);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

/* wrong: check: race on shared memory */
/* wrong: racecheck: (Race reported|hazard) */
#include "kernels/launch.h"

__global__ void turn_unsynchronised(int *a)
{
    __shared__ int row[32];
    int lane = threadIdx.x;

    row[lane] = a[lane];
    a[lane] = row[(lane + 1) % 32]; /* __syncwarp() should stand between */
}

int main(void)
{
    int *d_a;

    CUDA_CHECK(cudaMalloc((void **)&d_a, 32 * sizeof *d_a));
    CUDA_CHECK(cudaMemset(d_a, 0, 32 * sizeof *d_a));
    turn_unsynchronised<<<1, 32>>>(d_a);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(d_a));
    return 0;
}

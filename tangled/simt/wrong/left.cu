/* wrong: run: the sum of 20 ones is -?nan */
/* wrong: check: shuffle from an inactive lane: .* asks lane 20 */
#include "kernels/launch.h"
#include "simt/warp.cuh"

/* sum with lanes that have left */
__global__ void sum_some(int n, const float *x, float *sum)
{
    if (my_lane() >= n)
        return; /* these lanes are named in the mask of warp_sum */
    sum[my_lane()] = warp_sum(x[my_lane()]);
}

int main(void)
{
    float h[20], *d, sum;

    for (int i = 0; i < 20; i++)
        h[i] = 1;
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * sizeof h));
    CUDA_CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    sum_some<<<1, WARP>>>(20, d, d + 20);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&sum, d + 20, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(sum == 20, "the sum of 20 ones is %g", sum);
    CUDA_CHECK(cudaFree(d));
    return 0;
}

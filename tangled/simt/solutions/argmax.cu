/* argmax: the lane of the largest value of a warp. */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* find the lane of the largest */
/* The lowest lane that holds the warp's largest x. No NaNs. */
static __device__ inline int warp_argmax(float x)
{
    return __ffs((int)__ballot_sync(WARP_ALL, x == warp_max(x))) - 1;
}

__global__ void find_largest(const float *x, int *lanes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    lanes[i] = warp_argmax(x[i]);
}

/* find the lane of the largest on the host */
static int largest(const float *warp)
{
    int best = 0;

    for (int lane = 1; lane < WARP; lane++)
        best = warp[lane] > warp[best] ? lane : best;
    return best;
}

enum { N = 96 * 50 };

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "argmax of a warp", NULL, 0);
    static float h_x[N];
    static int h[N];
    float *d_x;
    int *d;

    /* find the largest on the device */
    rng_fill_small(h_x, N, seed);
    CUDA_CHECK(cudaMalloc((void **)&d_x, sizeof h_x));
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof h));
    CUDA_CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
    find_largest<<<50, 96>>>(d_x, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == largest(h_x + i / WARP * WARP), "element %d: lane %d", i,
              h[i]);
    printf("ok: %d warps, ties included\n", N / WARP);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d));
    return 0;
}

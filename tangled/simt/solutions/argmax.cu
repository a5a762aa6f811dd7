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

enum { N = 96 * 50 }; /* fifty blocks of three warps */

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "argmax of a warp", NULL, 0);
    int *lanes, best = 0;
    float *x;

    CUDA_CHECK(cudaMallocManaged((void **)&x, N * sizeof *x));
    CUDA_CHECK(cudaMallocManaged((void **)&lanes, N * sizeof *lanes));
    rng_fill_small(x, N, seed);
    find_largest<<<50, 96>>>(x, lanes);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    /* look for the largest of each warp */
    for (int i = 0; i < N; i++) {
        if (i % WARP == 0) {
            best = 0;
            for (int lane = 1; lane < WARP; lane++)
                best = x[i + lane] > x[i + best] ? lane : best;
        }
        CHECK(lanes[i] == best, "element %d: lane %d, not %d", i, lanes[i],
              best);
    }
    printf("ok: %d warps, ties included\n", N / WARP);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(lanes));
    return 0;
}

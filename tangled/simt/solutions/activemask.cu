/* activemask: add up the positive values of each warp. */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* add up the positive lanes in two ways */
/* The sum of v over the lanes of `who`, all of which must call it. */
static __device__ int sum_over(unsigned who, int v)
{
    int sum = 0;

    for (unsigned left = who; left; left &= left - 1)
        sum += __shfl_sync(who, v, __ffs((int)left) - 1);
    return sum;
}

__global__ void add_positive(const int *x, int *voted, int *padded, int *lucky)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
    unsigned who = __ballot_sync(WARP_ALL, v > 0);
    int everyone = sum_over(WARP_ALL, v > 0 ? v : 0);

    if (v > 0) {
        if (__activemask() == who && my_lane() == __ffs((int)who) - 1)
            atomicAdd(lucky, 1);
        voted[i] = sum_over(who, v);
    }
    padded[i] = everyone;
}

enum { N = 96 * 20 }; /* twenty blocks of three warps */

int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "masks by vote", NULL, 0);
    int *x, *voted, *padded, *lucky;

    CUDA_CHECK(cudaMallocManaged((void **)&x, (3 * N + 1) * sizeof *x));
    memset(x, 0, (3 * N + 1) * sizeof *x);
    lucky = (padded = (voted = x + N) + N) + N;
    for (int i = 0; i < N; i++)
        x[i] = (int)rng_below(&seed, 9) - 4;
    add_positive<<<20, 96>>>(x, voted, padded, lucky);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    /* compare the positive sums */
    for (int i = 0; i < N; i++) {
        const int *warp = x + i / WARP * WARP;
        int sum = 0;

        for (int lane = 0; lane < WARP; lane++)
            sum += warp[lane] > 0 ? warp[lane] : 0;
        CHECK(padded[i] == sum && voted[i] == (x[i] > 0 ? sum : 0),
              "element %d: sums %d and %d, not %d", i, padded[i], voted[i],
              sum);
    }
    printf("ok: %d warps; __activemask agreed in %d\n", N / WARP, *lucky);
    CUDA_CHECK(cudaFree(x));
    return 0;
}

/* three: an exclusive scan of any length in launches of three kernels. */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* scan the block and leave its sum */
enum { THREADS = 256 };

/* y = exclusive scan of each block's elements, sums[b] = the block's sum. */
__global__ void scan_block(size_t n, const float *x, float *y, float *sums)
{
    __shared__ float part[WARP];
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float v = i < n ? x[i] : 0, run = warp_scan(v), before;

    if (my_lane() == WARP - 1)
        part[my_warp()] = run;
    __syncthreads();
    before = warp_scan(my_lane() < THREADS / WARP ? part[my_lane()] : 0);
    if (threadIdx.x == THREADS / WARP - 1)
        sums[blockIdx.x] = before;
    before = __shfl_sync(WARP_ALL, before, (my_warp() + WARP - 1) % WARP);
    if (i < n)
        y[i] = run - v + (my_warp() ? before : 0);
}

__global__ void add_before(size_t n, const float *before, float *y)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n)
        y[i] += before[blockIdx.x];
}

/* space: room for 2 n / 255 + 64 floats. */
static void scan(size_t n, const float *x, float *y, float *space)
{
    int blocks = blocks_for(n, THREADS);

    if (blocks == 0)
        return;
    scan_block<<<blocks, THREADS>>>(n, x, y, space);
    if (blocks > 1) {
        scan((size_t)blocks, space, space, space + blocks);
        add_before<<<blocks, THREADS>>>(n, space, y);
    }
    CUDA_LAUNCH_CHECK();
}

/* compare with a loop */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100003, 0, 1 << 22)};
    uint64_t seed =
        args_parse(argc, argv, "a scan in parts", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = (float *)check_alloc(2 * n, sizeof *x), *y = x + n, *d, sum = 0;

    rng_fill_small(x, n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, (2 * n + n / 127 + 64) * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, (2 * n + n / 127 + 64) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    scan(n, d, d + n, d + 2 * n);
    CUDA_CHECK(cudaMemcpy(y, d + n, n * sizeof *d, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; sum += x[i++])
        CHECK(y[i] == sum, "element %zu is %g, not %g", i, y[i], sum);
    printf("ok: %zu elements\n", n);
    return 0;
}

/* compact: keep the positive elements, one atomic for each warp. */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* keep the positive elements */
__global__ void keep_positive(int n, const float *x, float *y, unsigned *used)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int keep = i < n && x[i] > 0, count = warp_count(keep);
    int rank = warp_rank(keep);
    unsigned start = 0;

    if (my_lane() == 0)
        start = atomicAdd(used, (unsigned)count);
    start = __shfl_sync(WARP_ALL, start, 0);
    if (keep)
        y[start + rank] = x[i];
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "keep the positive elements", args,
                               ARG_COUNT(args));
    size_t n = (size_t)args[0].value, bytes = n * sizeof(float);
    float *h = (float *)check_alloc(2 * n, sizeof *h), *d;
    unsigned kept = 0, *d_used;
    int counts[5] = {0};

    rng_fill_small(h, n, seed);
    /* keep them on the device */
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_used, sizeof kept));
    CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d + n, 0xff, bytes));
    CUDA_CHECK(cudaMemset(d_used, 0, sizeof kept));
    keep_positive<<<blocks_for(n, 256), 256>>>((int)n, d, d + n, d_used);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, 2 * bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&kept, d_used, sizeof kept, cudaMemcpyDeviceToHost));
    /* count what came and what arrived */
    for (size_t i = 0; i < n; i++)
        if (h[i] > 0)
            counts[(int)h[i]]++;
    for (size_t i = 0; i < n; i++) {
        float y = h[n + i];

        CHECK(i < kept ? y >= 1 && y <= 4 : isnan(y), "place %zu holds %g", i,
              y);
        if (i < kept)
            counts[(int)y]--;
    }
    for (int v = 0; v <= 4; v++)
        CHECK(counts[v] == 0, "the value %d is missing %d times", v, counts[v]);
    printf("ok: %u of %zu kept\n", kept, n);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_used));
    free(h);
    return 0;
}

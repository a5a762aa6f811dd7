/* cluster: count values in bins that a cluster's blocks share out. */
#include "kernels/launch.h"
#include "loom/ptx.h"
#include "tour/args.h"
#include "tour/rng.h"

/* count in a cluster */
enum { COUNT_THREADS = 256 };

/* counts[v] += how often v is among x[0..n), all below `bins`. Block r of a cluster
   has the bins from r each to (r + 1) each in its shared memory. */
__global__ void __launch_bounds__(COUNT_THREADS)
    count_cluster(size_t n, const unsigned *x, int bins, int each,
                  unsigned *counts)
{
    extern __shared__ unsigned own[];
    unsigned rank = ptx_cluster_rank();
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (int b = threadIdx.x; b < each; b += COUNT_THREADS)
        own[b] = 0;
    ptx_cluster_sync(); /* all bins of all blocks are there */
    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(ptx_map(&own[x[i] % each], x[i] / each), 1u);
    ptx_cluster_sync(); /* all values are counted */
    for (int b = threadIdx.x; b < each; b += COUNT_THREADS)
        if (own[b] && (int)rank * each + b < bins)
            atomicAdd(&counts[rank * each + b], own[b]);
}

/* launch a count in clusters */
/* counts[v] += how often v < bins is among x[0..n). Stops the program on an error. */
static inline void count_in_clusters(size_t n, const unsigned *x, int bins,
                                     unsigned *counts, int size)
{
    int each = (int)ceil_div((size_t)bins, (size_t)size), sms = 0;
    cudaLaunchAttribute shape = {};
    cudaLaunchConfig_t how = {};
    size_t clusters = ceil_div(n, (size_t)4096);

    if (n == 0)
        return;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    if (clusters > (size_t)(sms / size))
        clusters = sms / size > 0 ? (size_t)(sms / size) : 1;
    CUDA_CHECK(cudaFuncSetAttribute(
        count_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * each));
    shape.id = cudaLaunchAttributeClusterDimension;
    shape.val.clusterDim.x = (unsigned)size;
    shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
    how.gridDim = dim3((unsigned)clusters * size);
    how.blockDim = dim3(COUNT_THREADS);
    how.dynamicSmemBytes = 4 * (size_t)each;
    how.attrs = &shape;
    how.numAttrs = 1;
    CUDA_CHECK(
        cudaLaunchKernelEx(&how, count_cluster, n, x, bins, each, counts));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, 1 << 28),
                         ARG_SIZE("bins", 100000, 1, 200000),
                         ARG_SIZE("cluster", 8, 1, 8)};
    uint64_t seed = args_parse(argc, argv, "a histogram by clusters", args,
                               ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    int bins = (int)args[1].value, size = (int)args[2].value, major = 9;
    unsigned *x = (unsigned *)check_alloc(n + 1, sizeof *x), *d_x, *d_counts;
    unsigned *want = (unsigned *)check_alloc(bins, sizeof *want);
    unsigned *got = (unsigned *)check_alloc(bins, sizeof *got);

#ifndef __LOOM__
    CUDA_CHECK(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
#endif
    if (major < 9)
        return printf("ok: no clusters here\n"), 0;
    CHECK(ceil_div((size_t)bins, (size_t)size) * 4 <= 227 << 10,
          "%d bins do not fit in the shared memory of %d blocks", bins, size);
    memset(want, 0, bins * sizeof *want);
    for (size_t i = 0; i < n; i++) {
        x[i] = (unsigned)rng_below(&seed, (uint64_t)bins);
        want[x[i]]++;
    }
    CUDA_CHECK(cudaMalloc((void **)&d_x, (n + 1) * sizeof *x));
    CUDA_CHECK(cudaMalloc((void **)&d_counts, bins * sizeof *got));
    CUDA_CHECK(cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_counts, 0, bins * sizeof *got));
    count_in_clusters(n, d_x, bins, d_counts, size);
    CUDA_CHECK(
        cudaMemcpy(got, d_counts, bins * sizeof *got, cudaMemcpyDeviceToHost));
    for (int b = 0; b < bins; b++)
        CHECK(got[b] == want[b], "bin %d has %u values, not %u", b, got[b],
              want[b]);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_counts));
    free(x);
    free(want);
    free(got);
    printf("ok: %zu values in %d bins, %d blocks a cluster\n", n, bins, size);
    return 0;
}

/* managed: one kernel on managed memory, wherever its pages are. */
#include <stdio.h>

#include "async/pieces.cuh"
#include "async/prefetch.cuh"
#include "tour/args.h"

/* walk in managed memory */
enum { PAGE_FLOATS = 1024 };

static void one_run(const char *which, size_t n, float4 *x, float4 *y)
{
    CUDA_CHECK(cudaMemset(y, 0xff, n * sizeof *y));
    walk<<<blocks_for(n, 128), 128>>>(n, 2, STEP_A, STEP_B, x, y);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    check_walk(which, (float *)x, (float *)y, 0, 4 * n, 2);
}

static void walk_managed(size_t n, uint64_t seed)
{
    float4 *x, *y;
    int device;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaMallocManaged((void **)&x, n * sizeof *x));
    CUDA_CHECK(cudaMallocManaged((void **)&y, n * sizeof *y));
    rng_fill_float((float *)x, 4 * n, seed);
    one_run("touched", n, x, y);
    one_run("again", n, x, y);
    CUDA_CHECK(prefetch(x, n * sizeof *x, cudaCpuDeviceId, 0));
    CUDA_CHECK(prefetch(x, n * sizeof *x, device, 0));
    one_run("prefetched", n, x, y);
    for (size_t i = 0; i < 4 * n; i += PAGE_FLOATS)
        ((float *)x)[i] += 1;
    one_run("touched by the host", n, x, y);
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 5000, 1, 1 << 22)};
    uint64_t seed = args_parse(argc, argv, "managed memory, prefetched or not",
                               args, ARG_COUNT(args));

    walk_managed((size_t)args[0].value, seed);
    printf("ok: %zu vectors, 4 runs: touched, again, prefetched, touched by "
           "the host\n",
           (size_t)args[0].value);
    return 0;
}

/* managed: the first kernel to touch managed memory pays for its migration. */
#include <math.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "kernels/vecadd.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* time one addition */
static float milliseconds(size_t n, const float *x, const float *y, float *z)
{
    cudaEvent_t start, stop;
    float ms;

    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    CUDA_CHECK(cudaEventRecord(start, 0));
    launch_grid(n, 256, x, y, z);
    CUDA_CHECK(cudaEventRecord(stop, 0));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return ms;
}

/* add in managed memory */
static float *managed(size_t n)
{
    float *p;

    CUDA_CHECK(cudaMallocManaged((void **)&p, n * sizeof *p));
    return p;
}

static void add_managed(size_t n, uint64_t seed)
{
    float *warm = managed(1), *x = managed(n), *y = managed(n), *z = managed(n);
    int device, migrates = 0;
    float first, second;

    *warm = 1;
    milliseconds(1, warm, warm, warm);
    rng_fill_float(x, n, seed);
    rng_fill_float(y, n, seed + 1);
    poison(z, n * sizeof *z);
    first = milliseconds(n, x, y, z);
    second = milliseconds(n, x, y, z);
    /* check the sums and the two times */
    for (size_t i = 0; i < n; i++)
        CHECK(z[i] == x[i] + y[i], "z[%zu] is %.9g, not %.9g", i, z[i],
              x[i] + y[i]);
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(
        &migrates, cudaDevAttrConcurrentManagedAccess, device));
    if (migrates && n >= 1 << 20) {
        CHECK(first > 2 * second, "first touch %g ms, second %g ms", first,
              second);
        printf("ok: first touch %.3f ms, second %.3f ms\n", first, second);
    } else {
        printf("ok: %zu sums; no pages move here, or too few to time\n", n);
    }
    CUDA_CHECK(cudaFree(warm));
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100003, 1, 1 << 26)};
    uint64_t seed =
        args_parse(argc, argv, "first and second touch", args, ARG_COUNT(args));

    add_managed((size_t)args[0].value, seed);
    return 0;
}

/* walk: are the reader and a walk of k steps right, bit by bit? */
#include "measure/walk.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* check the reader */
static void check_reader(size_t n, float *x, uint64_t seed)
{
    enum { BLOCK = 32 };
    size_t blocks = ceil_div(n, BLOCK * READS), threads = blocks * BLOCK;
    float *sums = (float *)check_alloc(2 * threads, sizeof *sums);
    float *want = sums + threads, *d_sums;
    float4 *d;

    rng_fill_small(x, 4 * n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d + 1));
    CUDA_CHECK(cudaMalloc((void **)&d_sums, 4 * threads + 1));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_sums, 0xff, 4 * threads));
    if (blocks > 0)
        read_all<<<blocks, BLOCK>>>(n, d, d_sums);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(sums, d_sums, 4 * threads, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < 4 * n; i++)
        want[i / 4 / (BLOCK * READS) * BLOCK + i / 4 % BLOCK] += x[i];
    CHECK_ARRAY(sums, want, threads);
    CUDA_CHECK(cudaFree(d_sums));
    CUDA_CHECK(cudaFree(d));
    free(sums);
}

/* check the walk */
static void check_walk(size_t n, int k, int ahead, float *x, float *y,
                       uint64_t seed)
{
    const float a = 0.75f, b = 0.2f;
    size_t bytes = n * sizeof(float4);
    float4 *d;

    rng_fill_float(x, 4 * n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * bytes + 16));
    CUDA_CHECK(cudaMemcpy(d, x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d + n, 0xff, bytes + 16));
    if (n > 0 && ahead)
        walk_ahead<<<3, 128>>>(n, k, a, b, d, d + n);
    else if (n > 0)
        walk<<<blocks_for(n, 128), 128>>>(n, k, a, b, d, d + n);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(y, d + n, bytes + 16, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    for (size_t i = 0; i < 4 * n; i++) {
        for (int s = 0; s < k; s++)
            x[i] = fmaf(x[i], a, b);
        CHECK(y[i] == x[i], "element %zu is %.9g, not %.9g", i, y[i], x[i]);
    }
    for (size_t i = 4 * n; i < 4 * n + 4; i++)
        CHECK(y[i] != y[i], "element %zu, behind the end, was written", i);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 26),
                         ARG_SIZE("k", 3, 0, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "walk under the roof", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    int k = (int)args[1].value;
    float *x = (float *)check_alloc(8 * n + 4, sizeof *x);

    check_reader(n, x, seed);
    check_walk(n, k, 0, x, x + 4 * n, seed);
    check_walk(n, k, 1, x, x + 4 * n, seed);
    printf("ok: %zu vectors, %d steps, %g operations per byte\n", n, k,
           k / 4.0);
    free(x);
    return 0;
}

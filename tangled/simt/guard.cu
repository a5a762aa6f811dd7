/* guard: how many warps of a vector addition diverge? */
#include <stdio.h>

#include "simt/guard.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* add and choose, and look at every element */
static void add_both(int n, int all, const float *h, float *d, float *h_z)
{
    size_t bytes = (size_t)all * sizeof(float);
    float *d_z = d + 2 * (size_t)all;

    for (int k = 0; k < 3; k++) {
        CUDA_CHECK(cudaMemset(d_z, 0xff, bytes));
        if (k == 0)
            add_grid<<<all / GUARD_BLOCK, GUARD_BLOCK>>>(n, d, d + all, d_z);
        else if (k == 1)
            add_unguarded<<<all / GUARD_BLOCK, GUARD_BLOCK>>>(d, d + all, d_z);
        else
            choose<<<all / GUARD_BLOCK, GUARD_BLOCK>>>(n, d, d_z);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
        for (int i = 0; i < all; i++) {
            float x = h[i], sum = x + h[i + all];
            float chosen = x > 0.5f ? fmaf(x, 3, 1) : fmaf(x, 5, -2);

            CHECK(i >= n && k != 1 ? isnan(h_z[i])
                                   : h_z[i] == (k == 2 ? chosen : sum),
                  "kernel %d: element %d of %d is %.9g", k, i, n, h_z[i]);
        }
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "who diverges at the guard", args,
                               ARG_COUNT(args));
    int n = (int)args[0].value, blocks = blocks_for((size_t)n + 1, GUARD_BLOCK);
    size_t all = (size_t)blocks * GUARD_BLOCK;
    float *h = (float *)check_alloc(3 * all, sizeof *h), *d;
    unsigned divided = 0, *d_divided;

    rng_fill_float(h, 2 * all, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, 3 * all * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, 2 * all * sizeof *d, cudaMemcpyHostToDevice));
    add_both(n, (int)all, h, d, h + 2 * all);
    /* count the divided warps */
    CUDA_CHECK(cudaMalloc((void **)&d_divided, sizeof divided));
    CUDA_CHECK(cudaMemset(d_divided, 0, sizeof divided));
    count_divided<<<blocks, GUARD_BLOCK>>>(n, d_divided);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&divided, d_divided, sizeof divided,
                          cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_divided));
    CHECK(divided == (n % WARP != 0), "%u warps diverge at %d", divided, n);
    printf("ok: %d elements, %zu warps, %u of them divided by the guard\n", n,
           all / WARP, divided);
    CUDA_CHECK(cudaFree(d));
    free(h);
    return 0;
}

/* warp: sums, maxima, scans, broadcasts and votes against the CPU. */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* ask a warp on the CPU */
/* What a lane learns from its warp. */
struct answers {
    float sum, largest, scan, told;
    int rank, positive;
};

/* The answers for each element of groups of 32; group g is told by its element
   g % 32. Elements beyond n count as 0, as -infinity, and as a no. */
static void ask_reference(int n, const float *x, struct answers *out)
{
    for (int first = 0; first < n; first += 32) {
        int after = first + 32 < n ? first + 32 : n;
        int speaker = first + first / 32 % 32;
        struct answers a = {0, -INFINITY, 0, 0, 0, 0};

        for (int i = first; i < after; i++) {
            a.sum += x[i];
            a.largest = x[i] > a.largest ? x[i] : a.largest;
            a.positive += x[i] > 0;
        }
        a.told = speaker < n ? x[speaker] : 0;
        for (int i = first; i < after; i++) {
            a.scan += x[i];
            out[i] = a;
            a.rank += x[i] > 0;
        }
    }
}

/* ask a warp everything */
/* For blocks of any shape: elements are numbered as threads are. */
__global__ void ask(int n, const float *x, struct answers *out)
{
    int i = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + my_number();
    int there = i < n;
    float v = there ? x[i] : 0;
    struct answers a;

    a.sum = warp_sum(v);
    a.largest = warp_max(there ? v : -INFINITY);
    a.scan = warp_scan(v);
    a.told = warp_broadcast(v, i / WARP % WARP);
    a.rank = warp_rank(there && v > 0);
    a.positive = warp_count(there && v > 0);
    if (there)
        out[i] = a;
}

/* compare the answers */
static void compare(int n, dim3 block, uint64_t seed)
{
    enum { MARGIN = 128 };
    size_t all = (size_t)n + MARGIN, bytes = all * sizeof(struct answers);
    float *h_x = (float *)check_alloc(all, sizeof(float)), *d_x;
    struct answers *h = (struct answers *)check_alloc(all, sizeof *h), *d;
    struct answers *want = (struct answers *)check_alloc(all, sizeof *want);
    int blocks = blocks_for((size_t)n, 96);

    rng_fill_small(h_x, (size_t)n, seed);
    poison(want, bytes);
    ask_reference(n, h_x, want);
    CUDA_CHECK(cudaMalloc((void **)&d_x, all * sizeof *d_x));
    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMemcpy(d_x, h_x, all * sizeof *d_x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d, 0xff, bytes));
    if (blocks > 0)
        ask<<<blocks, block>>>(n, d_x, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    /* compare every answer and free */
    for (size_t i = 0; i < all; i++)
        CHECK(memcmp(&h[i], &want[i], sizeof *h) == 0,
              "element %zu of %d: sum %g (%g), largest %g (%g), scan %g (%g), "
              "told %g (%g), rank %d (%d), positive %d (%d)",
              i, n, h[i].sum, want[i].sum, h[i].largest, want[i].largest,
              h[i].scan, want[i].scan, h[i].told, want[i].told, h[i].rank,
              want[i].rank, h[i].positive, want[i].positive);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d));
    free(h_x);
    free(h);
    free(want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "what a warp can do together", args,
                               ARG_COUNT(args));

    compare((int)args[0].value, dim3(96), seed);
    compare((int)args[0].value, dim3(8, 4, 3), seed + 1);
    printf("ok: %d elements, six answers each\n", (int)args[0].value);
    return 0;
}

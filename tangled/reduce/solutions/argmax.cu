/* argmax: the first of the largest elements. */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* make a word of an element and its index */
static __device__ inline unsigned long long word_of(float v, unsigned i)
{
    unsigned b = __float_as_uint(v);

    b = b >> 31 ? ~b : b | 0x80000000u; /* rises with v */
    return (unsigned long long)b << 32 | ~i;
}

__global__ void largest(unsigned n, const float *x, unsigned long long *best)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long w = 0;

    for (; i < n; i += gridDim.x * blockDim.x)
        w = max(w, word_of(x[i], i));
    for (int far = WARP / 2; far > 0; far /= 2)
        w = max(w, __shfl_xor_sync(WARP_ALL, w, far));
    if (my_lane() == 0)
        atomicMax(best, w);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100003, 1, 1 << 28)};
    uint64_t seed =
        args_parse(argc, argv, "the first maximum", args, ARG_COUNT(args));
    unsigned n = (unsigned)args[0].value, want = 0;
    float *h = (float *)check_alloc(n, sizeof *h), *d;
    unsigned long long *d_best, best;

    /* find the maximum twice */
    rng_fill_small(h, n, seed);
    for (unsigned i = 1; i < n; i++)
        want = h[i] > h[want] ? i : want;
    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&d_best, sizeof *d_best));
    CUDA_CHECK(cudaMemset(d_best, 0, sizeof *d_best));
    CUDA_CHECK(cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
    largest<<<60, 256>>>(n, d, d_best);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&best, d_best, sizeof best, cudaMemcpyDeviceToHost));
    CHECK(~(unsigned)best == want, "found %u, not %u", ~(unsigned)best, want);
    printf("ok: the first maximum of %u is at %u\n", n, want);
    return 0;
}

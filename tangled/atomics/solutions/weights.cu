/* weights: a histogram of weights in fixed point. */
#include <math.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* add weights in fixed point */
enum { WEIGHT_BINS = 32 };

/* sum[b] += w[i] * 2^24 for all i < n with bin[i] == b. */
__global__ void add_weights(int n, const unsigned char *bin, const float *w,
                            unsigned long long *sum)
{
    __shared__ unsigned long long own[WEIGHT_BINS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x < WEIGHT_BINS)
        own[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&own[bin[i]], (unsigned long long)ldexp((double)w[i], 24));
    __syncthreads();
    if (threadIdx.x < WEIGHT_BINS)
        atomicAdd(&sum[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "a histogram of weights", args, ARG_COUNT(args));
    int n = (int)args[0].value;
    unsigned long long want[WEIGHT_BINS] = {0}, got[WEIGHT_BINS], *d_sum;
    unsigned char *bin = (unsigned char *)check_alloc((size_t)n, 1), *d_bin;
    float *w = (float *)check_alloc((size_t)n, sizeof *w), *d_w;

    /* make weights and add them */
    for (int i = 0; i < n; i++) {
        uint64_t r = rng_at(seed, (uint64_t)i);

        bin[i] = (unsigned char)(r % WEIGHT_BINS);
        w[i] = rng_to_float(r);
        want[bin[i]] += (unsigned long long)(r >> 40);
    }
    CUDA_CHECK(cudaMalloc((void **)&d_bin, (size_t)n));
    CUDA_CHECK(cudaMalloc((void **)&d_w, (size_t)n * sizeof *d_w));
    CUDA_CHECK(cudaMalloc((void **)&d_sum, sizeof got));
    CUDA_CHECK(cudaMemcpy(d_bin, bin, (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_w, w, (size_t)n * sizeof *d_w, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_sum, 0, sizeof got));
    add_weights<<<blocks_for((size_t)n, 256), 256>>>(n, d_bin, d_w, d_sum);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(got, d_sum, sizeof got, cudaMemcpyDeviceToHost));
    for (int b = 0; b < WEIGHT_BINS; b++)
        CHECK(got[b] == want[b], "bin %d: %llu, not %llu", b, got[b], want[b]);
    printf("ok: %d weights, the same every time\n", n);
    return 0;
}

/* weights: a histogram of weights in fixed point. */
#include <math.h>
#include <stdio.h>

#include "atomics/device.h"
#include "tour/args.h"
#include "tour/rng.h"

/* add weights in fixed point */
enum { WEIGHT_BINS = 32 };

/* sum[b] += w[i] * 2^24 for all i < n with bin[i] == b. */
__global__ void add_weights(int n, const unsigned char *bin, const float *w,
                            unsigned long long *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(&sum[bin[i]], (unsigned long long)ldexp((double)w[i], 24));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "a histogram of weights", args, ARG_COUNT(args));
    int n = (int)args[0].value;
    unsigned long long want[WEIGHT_BINS] = {0}, got[WEIGHT_BINS];
    unsigned long long *d = (unsigned long long *)to_device(NULL, sizeof got);
    unsigned char *bin = (unsigned char *)check_alloc((size_t)n, 1);
    float *w = (float *)check_alloc((size_t)n, sizeof *w);

    /* make weights and add them */
    for (int i = 0; i < n; i++) {
        uint64_t r = rng_at(seed, (uint64_t)i);

        bin[i] = (unsigned char)(r % WEIGHT_BINS);
        w[i] = rng_to_float(r);
        want[bin[i]] += (unsigned long long)(r >> 40);
    }
    add_weights<<<blocks_for((size_t)n, 256), 256>>>(
        n, (unsigned char *)to_device(bin, (size_t)n),
        (float *)to_device(w, (size_t)n * sizeof *w), d);
    to_host(got, d, sizeof got);
    for (int b = 0; b < WEIGHT_BINS; b++)
        CHECK(got[b] == want[b], "bin %d: %llu, not %llu", b, got[b], want[b]);
    printf("ok: %d weights, the same every time\n", n);
    return 0;
}

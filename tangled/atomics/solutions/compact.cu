/* compact: the positive elements, in any order; an atomic for each warp. */
#include <stdio.h>

#include "atomics/device.h"
#include "tour/args.h"
#include "tour/rng.h"

/* keep what is positive */
/* out gets the positive ones of x[0..n); *count is 0 at the launch. Blocks of a
   multiple of 32. */
__global__ void compact(int n, const int *x, int *out, unsigned *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool mine = i < n && x[i] > 0;
    unsigned who = __ballot_sync(0xffffffffu, mine), begin = 0;

    if (lane == 0 && who != 0)
        begin = atomicAdd(count, (unsigned)__popc(who));
    begin = __shfl_sync(0xffffffffu, begin, 0);
    if (mine)
        out[begin + __popc(who & ((1u << lane) - 1))] = x[i];
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    uint64_t seed =
        args_parse(argc, argv, "keep what is positive", args, ARG_COUNT(args));
    int n = (int)args[0].value, want = 0, *d;
    size_t bytes = (2 * (size_t)n + 1) * sizeof *d;
    int *h = (int *)check_alloc(1, bytes), *got = h + n;

    for (int i = 0; i < 2 * n; i++)
        h[i] = (int)(rng_at(seed, (uint64_t)i) >> 44) - (1 << 19);
    h[2 * n] = 0;
    d = (int *)to_device(h, bytes);
    compact<<<blocks_for((size_t)n, 128), 128>>>(n, d, d + n,
                                                 (unsigned *)d + 2 * n);
    to_host(h, d, bytes);
    /* compare what is positive */
    for (int i = 0; i < n; i++)
        if (h[i] > 0)
            h[want++] = h[i];
    CHECK(got[n] == want, "%d are positive, not %d", got[n], want);
    qsort(h, (size_t)want, sizeof *h, by_value);
    qsort(got, (size_t)want, sizeof *got, by_value);
    for (int i = 0; i < want; i++)
        CHECK(got[i] == h[i], "element %d is %d, not %d", i, got[i], h[i]);
    printf("ok: %d of %d are positive\n", want, n);
    return 0;
}

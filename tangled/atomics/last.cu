/* last: a sum in one launch; the block that finishes last adds up the parts. */
#include <stdio.h>

#include "atomics/device.h"
#include "tour/args.h"
#include "tour/rng.h"

/* add up within a block */
/* The sum of all threads' x, for thread 0; sum[] has room for the block, whose
   size is a power of two. Ends with a barrier. */
static __device__ int block_sum(int x, int *sum)
{
    int t = threadIdx.x, total;

    sum[t] = x;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            sum[t] += sum[t + half];
        __syncthreads();
    }
    total = sum[0];
    __syncthreads();
    return total;
}

/* add up in one launch */
/* *total = x[0] + ... + x[n - 1]; part[] has a place for each block. *count is
   0 at the launch, and again at the end. Blocks of a power of two <= 1024. */
__global__ void last_sum(int n, const int *x, int *part, unsigned *count,
                         int *total)
{
    __shared__ int sum[1024];
    __shared__ int last;
    int step = gridDim.x * blockDim.x, mine = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mine += x[i];
    mine = block_sum(mine, sum);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = mine;
        __threadfence(); /* whoever sees my count sees my part */
        last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence(); /* I saw all counts, so I see all parts */
    }
    __syncthreads();
    if (!last)
        return;
    /* add up the parts */
    mine = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        mine += part[i];
    mine = block_sum(mine, sum);
    if (threadIdx.x == 0) {
        *total = mine;
        *count = 0; /* for the next launch */
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, 1 << 28),
                         ARG_SIZE("blocks", 7, 1, 4096),
                         ARG_SIZE("threads", 64, 1, 1024)};
    uint64_t seed =
        args_parse(argc, argv, "a sum in one launch", args, ARG_COUNT(args));
    int n = (int)args[0].value, blocks = (int)args[1].value;
    int threads = (int)args[2].value, want = 0, got[2], *d;
    int *h = (int *)check_alloc((size_t)n + 2 + blocks, sizeof *h);

    CHECK((threads & (threads - 1)) == 0, "%d: no power of two", threads);
    for (int i = 0; i < n; i++)
        want += h[i] = (int)(rng_at(seed, (uint64_t)i) >> 60) - 8;
    h[n] = 0; /* the counter; behind it the total and the parts */
    d = (int *)to_device(h, ((size_t)n + 2 + blocks) * sizeof *d);
    /* sum twice and compare */
    for (int run = 0; run < 2; run++) {
        CUDA_CHECK(cudaMemset(d + n + 1, 0xff, sizeof *d));
        last_sum<<<blocks, threads>>>(n, d, d + n + 2, (unsigned *)d + n,
                                      d + n + 1);
        to_host(got, d + n, sizeof got);
        CHECK(got[1] == want, "run %d: %d, not %d", run, got[1], want);
    }
    printf("ok: %d numbers, %d blocks, one launch\n", n, blocks);
    return 0;
}

/* grid: lines across a grid, and a total that goes from block to block. */
#include <cooperative_groups.h>
#include <stdio.h>

#include "sync/fits.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* hand a total from block to block */
/* total[b] = x[0] + ... + x[(b + 1) * blockDim.x - 1]; a block for each
   piece; ready[] and *next are 0 at the launch. */
__global__ void running_total(const unsigned *x, unsigned *total,
                              unsigned *ready, unsigned *next)
{
    __shared__ unsigned ticket, sum;
    unsigned before = 0;

    /* take a ticket and add up my piece */
    if (threadIdx.x == 0) {
        ticket = atomicAdd(next, 1);
        sum = 0;
    }
    __syncthreads();
    atomicAdd(&sum, x[ticket * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        if (ticket > 0) {
            while (load_acquire(&ready[ticket - 1]) == 0)
                __nanosleep(50);
            before = total[ticket - 1];
        }
        total[ticket] = before + sum;
        store_release(&ready[ticket], 1);
    }
}

/* make one step of the ring */
static __device__ inline void ring_step(unsigned i, unsigned n,
                                        const unsigned *from, unsigned *to)
{
    unsigned left = i == 0 ? n - 1 : i - 1, right = i + 1 == n ? 0 : i + 1;

    to[i] = from[left] + 2 * from[i] + from[right];
}

/* step with a launch, a grid barrier, or our own */

/* step with a launch */
__global__ void ring_once(unsigned n, const unsigned *from, unsigned *to)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        ring_step(i, n, from, to);
}

/* `steps` steps in one cooperative launch; the result is in a if steps is
   even, else in b. count == NULL: the barrier of cooperative groups. */
__global__ void ring_many(unsigned n, unsigned steps, unsigned *a, unsigned *b,
                          unsigned *count)
{
    for (unsigned k = 0; k < steps; k++) {
        const unsigned *from = k % 2 ? b : a;
        unsigned *to = k % 2 ? a : b;

        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
             i += gridDim.x * blockDim.x)
            ring_step(i, n, from, to);
        if (count)
            grid_wait(count);
        else
            cooperative_groups::this_grid().sync();
    }
}

/* run the ring in one of three ways */
enum ring { RING_LAUNCHES, RING_GRID, RING_HAND, RINGS };

static const char *const ring_names[] = {"launches", "grid", "hand"};

/* Queues `steps` steps over n numbers at d_a (d_b: room for as many; d_count:
   one word). The result is in d_a if steps is even, else in d_b. */
static void ring_run(enum ring how, unsigned n, unsigned steps, unsigned *d_a,
                     unsigned *d_b, unsigned *d_count)
{
    enum { THREADS = 256 };
    unsigned fit = blocks_that_fit((const void *)ring_many, THREADS, 0,
                                   (unsigned)blocks_for(n, THREADS));
    unsigned *count = how == RING_HAND ? d_count : NULL;
    void *args[] = {&n, &steps, &d_a, &d_b, &count};

    if (how == RING_LAUNCHES) {
        for (unsigned k = 0; k < steps; k++)
            ring_once<<<fit, THREADS>>>(n, k % 2 ? d_b : d_a,
                                        k % 2 ? d_a : d_b);
    } else {
        CUDA_CHECK(cudaMemsetAsync(d_count, 0, sizeof *d_count, 0));
        CUDA_CHECK(
            cudaLaunchCooperativeKernel(ring_many, fit, THREADS, args, 0, 0));
    }
    CUDA_LAUNCH_CHECK();
}

/* compare the rings with the CPU */
static void compare_rings(unsigned n, unsigned steps, uint64_t seed)
{
    size_t bytes = n * sizeof(unsigned);
    unsigned *h[4], *d;

    for (int k = 0; k < 4; k++)
        h[k] = (unsigned *)check_alloc(n, sizeof **h);
    for (unsigned i = 0; i < n; i++)
        h[0][i] = h[2][i] = (unsigned)rng_at(seed, i);
    for (unsigned k = 0; k < steps; k++)
        for (unsigned i = 0; i < n; i++)
            h[(k + 1) % 2][i] = h[k % 2][(i + n - 1) % n] + 2 * h[k % 2][i] +
                                h[k % 2][(i + 1) % n];
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * bytes + sizeof *d));
    for (int how = 0; how < RINGS; how++) {
        /* compare one of the rings */
        CUDA_CHECK(cudaMemcpy(d, h[2], bytes, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(d + n, 0xff, bytes));
        ring_run((enum ring)how, n, steps, d, d + n, d + 2 * (size_t)n);
        CUDA_CHECK(cudaMemcpy(h[3], steps % 2 ? d + n : d, bytes,
                              cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < n; i++)
            CHECK(h[3][i] == h[steps % 2][i],
                  "%s, %u steps: number %u is %u, not %u", ring_names[how],
                  steps, i, h[3][i], h[steps % 2][i]);
    }
    CUDA_CHECK(cudaFree(d));
    for (int k = 0; k < 4; k++)
        free(h[k]);
}

/* compare the running totals with a loop */
static void compare_totals(unsigned blocks, unsigned threads, uint64_t seed)
{
    size_t n = (size_t)blocks * threads, words = n + 2 * (size_t)blocks + 1;
    unsigned *h = (unsigned *)check_alloc(words, sizeof *h), *d, sum = 0;

    for (size_t i = 0; i < n; i++)
        h[i] = (unsigned)rng_at(seed, i);
    CUDA_CHECK(cudaMalloc((void **)&d, words * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, words * sizeof *d, cudaMemcpyHostToDevice));
    running_total<<<blocks, threads>>>(d, d + n, d + n + blocks,
                                       d + n + 2 * (size_t)blocks);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, words * sizeof *d, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++) {
        sum += h[i];
        if ((i + 1) % threads == 0)
            CHECK(h[n + i / threads] == sum, "total %zu is %u, not %u",
                  i / threads, h[n + i / threads], sum);
    }
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 26),
                         ARG_SIZE("steps", 11, 0, 100000),
                         ARG_SIZE("blocks", 9, 1, 100000)};
    uint64_t seed =
        args_parse(argc, argv, "lines across a grid", args, ARG_COUNT(args));
    unsigned n = (unsigned)args[0].value, steps = (unsigned)args[1].value;

    compare_rings(n, steps, seed);
    compare_totals((unsigned)args[2].value, 64, seed);
    printf("ok: %u steps over %u numbers in 3 ways, %u running totals\n", steps,
           n, (unsigned)args[2].value);
    return 0;
}

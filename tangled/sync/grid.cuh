/* grid.cuh: barriers across blocks: launches, cooperative groups, by hand. */
#ifndef SYNC_GRID_CUH
#define SYNC_GRID_CUH

#include <cooperative_groups.h>

#include "sync/fits.cuh"
#include "sync/order.cuh"

namespace cg = cooperative_groups;

/* wait for all blocks */
/* A barrier of all threads of a grid that fits. *count is 0 at first;
   good for 2^32 / gridDim.x barriers. */
static __device__ inline void grid_wait(unsigned *count)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned mine = add_release(count, 1);
        unsigned goal = (mine / gridDim.x + 1) * gridDim.x;

        while (load_acquire(count) < goal)
            ;
    }
    __syncthreads();
}

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
            cg::this_grid().sync();
    }
}

/* run the ring in one of three ways */
enum ring { RING_LAUNCHES, RING_GRID, RING_HAND, RINGS };

static const char *const ring_names[] = {"launches", "grid", "hand"};

/* Queues `steps` steps over n numbers at d_a (d_b: room for as many; d_count:
   one word). The result is in d_a if steps is even, else in d_b. */
static inline void ring_run(enum ring how, unsigned n, unsigned steps,
                            unsigned *d_a, unsigned *d_b, unsigned *d_count)
{
    enum { THREADS = 256 };
    unsigned fit = blocks_that_fit((const void *)ring_many, THREADS,
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

#endif

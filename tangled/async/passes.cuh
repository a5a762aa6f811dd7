/* passes.cuh: many small kernels in a row, started in several ways. */
#ifndef ASYNC_PASSES_CUH
#define ASYNC_PASSES_CUH

#include <cooperative_groups.h>
#include <string.h>

#include "async/after.cuh"
#include "kernels/launch.h"
#include "sync/fits.cuh"

/* describe the passes */
struct passes {
    unsigned n, steps;
    unsigned *d[2]; /* the ring is in d[0] before and, steps even, after */
    cudaStream_t side;
    cudaEvent_t fork, join;
};

/* make one pass */
static __device__ inline void pass_at(unsigned i, unsigned n, unsigned step,
                                      const unsigned *from, unsigned *to)
{
    to[i] = 5 * from[i + 1 < n ? i + 1 : 0] + step;
}

/* One pass over a ring of n numbers; from and to are not the same. */
__global__ void pass(unsigned n, unsigned step, const unsigned *from,
                     unsigned *to)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        pass_at(i, n, step, from, to);
}

/* make the passes on the host */
/* `steps` passes over a, with room for one more in b; the result is in a. */
static inline void host_passes(unsigned n, unsigned steps, unsigned *a,
                               unsigned *b)
{
    for (unsigned k = 0; k < steps; k++) {
        unsigned *from = k % 2 ? b : a, *to = k % 2 ? a : b;

        for (unsigned i = 0; i < n; i++)
            to[i] = 5 * from[(i + 1) % n] + k;
    }
    if (steps % 2)
        memcpy(a, b, n * sizeof *a);
}

/* launch the passes in a stream */
static inline void passes_in_stream(struct passes *w, cudaStream_t s)
{
    for (unsigned k = 0; k < w->steps; k++)
        pass<<<blocks_for(w->n, 256), 256, 0, s>>>(w->n, k, w->d[k % 2],
                                                   w->d[(k + 1) % 2]);
    CUDA_LAUNCH_CHECK();
}

/* capture the passes */
/* What `queue` puts into a stream, as a graph; cudaGraphDestroy() it. */
static inline cudaGraph_t captured(void (*queue)(struct passes *, cudaStream_t),
                                   struct passes *w, cudaStream_t s)
{
    cudaGraph_t graph;

    CUDA_CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    queue(w, s);
    CUDA_CHECK(cudaStreamEndCapture(s, &graph));
    return graph;
}

/* capture a fork and a join */
/* Both arrays are set to zero side by side, then the passes are made. */
static inline void clear_and_pass(struct passes *w, cudaStream_t s)
{
    size_t bytes = w->n * sizeof *w->d[0];

    stream_after(w->side, s, w->fork);
    CUDA_CHECK(cudaMemsetAsync(w->d[0], 0, bytes, s));
    CUDA_CHECK(cudaMemsetAsync(w->d[1], 0, bytes, w->side));
    stream_after(s, w->side, w->join);
    passes_in_stream(w, s);
}

/* make all passes in one kernel */
__global__ void pass_all(unsigned n, unsigned steps, unsigned *a, unsigned *b)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();

    for (unsigned k = 0; k < steps; k++) {
        const unsigned *from = k % 2 ? b : a;

        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
             i += gridDim.x * blockDim.x)
            pass_at(i, n, k, from, k % 2 ? a : b);
        grid.sync();
    }
}

/* launch the passes in one kernel */
static inline void passes_in_one(struct passes *w, cudaStream_t s)
{
    unsigned blocks = (unsigned)blocks_for(w->n, 256);
    void *args[4] = {&w->n, &w->steps, &w->d[0], &w->d[1]};

    blocks = blocks_that_fit((const void *)pass_all, 256, 0, blocks);
    CUDA_CHECK(cudaLaunchCooperativeKernel(pass_all, dim3(blocks), dim3(256),
                                           args, 0, s));
}

/* open and close the passes */
static inline void passes_open(struct passes *w, unsigned n, unsigned steps)
{
    CHECK(n >= 1 && steps % 2 == 0,
          "%u numbers, %u steps: at least 1, and even", n, steps);
    w->n = n;
    w->steps = steps;
    CUDA_CHECK(cudaMalloc((void **)&w->d[0], 2 * (size_t)n * sizeof *w->d[0]));
    w->d[1] = w->d[0] + n;
    CUDA_CHECK(cudaStreamCreateWithFlags(&w->side, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&w->fork, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&w->join, cudaEventDisableTiming));
}

static inline void passes_close(struct passes *w)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaEventDestroy(w->fork));
    CUDA_CHECK(cudaEventDestroy(w->join));
    CUDA_CHECK(cudaStreamDestroy(w->side));
    CUDA_CHECK(cudaFree(w->d[0]));
}

/* check the passes */
static inline unsigned *passes_begin(struct passes *w)
{
    unsigned *h = (unsigned *)check_alloc(3 * (size_t)w->n, sizeof *h);

    for (unsigned i = 0; i < w->n; i++)
        h[i] = 2654435761u * i + 12345;
    CUDA_CHECK(
        cudaMemcpy(w->d[0], h, w->n * sizeof *h, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(w->d[1], 0xff, w->n * sizeof *h));
    CUDA_CHECK(cudaDeviceSynchronize());
    return h;
}

/* h holds what the ring should be; frees h. */
static inline void passes_end(struct passes *w, const char *who, unsigned *h)
{
    unsigned *got = h + 2 * (size_t)w->n;

    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(
        cudaMemcpy(got, w->d[0], w->n * sizeof *h, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < w->n; i++)
        CHECK(got[i] == h[i], "%s: number %u is %u, not %u", who, i, got[i],
              h[i]);
    free(h);
}

#endif

/* launch.cuh: what it costs to start kernels that do nearly nothing. */
#ifndef MEASURE_LAUNCH_CUH
#define MEASURE_LAUNCH_CUH

#include "kernels/launch.h"
#include "measure/clock.h"
#include "measure/stats.h"

/* define two tiny kernels */
struct luggage {
    unsigned words[1000]; /* all arguments together: 4096 bytes at most */
};

__global__ void tiny(unsigned step, unsigned *x)
{
    *x = 5 * *x + step;
}

__global__ void laden(unsigned step, unsigned *x, struct luggage l)
{
    *x = 5 * *x + step + l.words[999];
}

/* work out what launches make of a number */
/* What n of either kernel make of x. */
static inline unsigned after(unsigned x, int n)
{
    for (int i = 0; i < n; i++)
        x = 5 * x + (unsigned)i;
    return x;
}

/* queue launches into a stream */
static inline void queue_tiny(int n, unsigned *x, cudaStream_t s)
{
    for (int i = 0; i < n; i++)
        tiny<<<1, 1, 0, s>>>((unsigned)i, x);
    CUDA_LAUNCH_CHECK();
}

/* queue launches with luggage */
static inline void queue_laden(int n, unsigned *x, cudaStream_t s)
{
    static const struct luggage none = {{0}};

    for (int i = 0; i < n; i++)
        laden<<<1, 1, 0, s>>>((unsigned)i, x, none);
    CUDA_LAUNCH_CHECK();
}

/* record launches in a graph */
/* A graph of what `queue` puts into a stream; cudaGraphExecDestroy() it. */
static cudaGraphExec_t record(void (*queue)(int, unsigned *, cudaStream_t),
                              int n, unsigned *x, cudaStream_t s)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;

    CUDA_CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    queue(n, x, s);
    CUDA_CHECK(cudaStreamEndCapture(s, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return ready;
}

/* time one way of launching */
enum { LAUNCH_ROUNDS = 31 };

/* Microseconds for all n launches: until the host was free, until done; and
   to make the graph, if there is one. */
struct launch_times {
    struct stats host, done;
    double make;
};

/* time rounds of launches */
static void time_rounds(struct launch_times *t,
                        void (*queue)(int, unsigned *, cudaStream_t),
                        cudaGraphExec_t graph, int n, unsigned *d_x,
                        cudaStream_t s)
{
    double host[LAUNCH_ROUNDS + 1], done[LAUNCH_ROUNDS + 1];

    for (int r = 0; r <= LAUNCH_ROUNDS; r++) {
        /* launch and read the clock twice */
        double start = clock_us();

        if (graph)
            CUDA_CHECK(cudaGraphLaunch(graph, s));
        else
            queue(n, d_x, s);
        host[r] = clock_us() - start;
        CUDA_CHECK(cudaStreamSynchronize(s));
        done[r] = clock_us() - start;
    }
    t->host = stats_of(host + 1, LAUNCH_ROUNDS);
    t->done = stats_of(done + 1, LAUNCH_ROUNDS);
}

static struct launch_times
time_launches(void (*queue)(int, unsigned *, cudaStream_t), int graph, int n)
{
    struct launch_times t = {};
    cudaGraphExec_t ready;
    cudaStream_t s;
    unsigned *d_x, got, want = 0;

    CUDA_CHECK(cudaStreamCreate(&s));
    CUDA_CHECK(cudaMalloc((void **)&d_x, sizeof *d_x));
    CUDA_CHECK(cudaMemset(d_x, 0, sizeof *d_x));
    CUDA_CHECK(cudaDeviceSynchronize());
    t.make = clock_us();
    ready = graph ? record(queue, n, d_x, s) : NULL;
    t.make = clock_us() - t.make;
    time_rounds(&t, queue, ready, n, d_x, s);
    /* check that every launch was made, in order */
    for (int r = 0; r <= LAUNCH_ROUNDS; r++)
        want = after(want, n);
    CUDA_CHECK(cudaMemcpy(&got, d_x, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == want, "%d rounds of %d launches give %u, not %u",
          LAUNCH_ROUNDS + 1, n, got, want);
    if (graph)
        CUDA_CHECK(cudaGraphExecDestroy(ready));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaStreamDestroy(s));
    return t;
}

#endif

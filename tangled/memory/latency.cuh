/* latency.cuh: chases, and loads that wait or do not wait for each other. */
#ifndef MEMORY_LATENCY_CUH
#define MEMORY_LATENCY_CUH

#include "kernels/launch.h"
#include "measure/bench.h"
#include "simt/where.cuh"

/* link the lines */
struct line {
    struct line *next;
    char rest[120]; /* a cache line has 128 bytes */
};

/* The line after line `at`, of 2^k or 3 * 2^k. Hull and Dobell, 1962. */
static __host__ __device__ inline size_t line_after(size_t at, size_t lines)
{
    return (at * 1664557 + 1013904223) % lines;
}

__global__ void link_lines(size_t lines, struct line *x)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < lines; i += (size_t)gridDim.x * blockDim.x)
        x[i].next = &x[line_after(i, lines)];
}

/* chase through memory */
struct trip {
    struct line *end; /* where it came out */
    long long cycles, ns;
};

__global__ void chase_lines(int warm, int hops, struct line *at,
                            struct trip *trip)
{
    long long start;
    unsigned long long start_ns;

    for (int h = 0; h < warm; h++)
        at = at->next;
    start = clock64();
    start_ns = global_ns();
#pragma unroll 8
    for (int h = 0; h < hops; h++)
        at = at->next;
    trip->end = at;
    trip->cycles = clock64() - start;
    trip->ns = (long long)(global_ns() - start_ns);
}

/* bring the lines into L2 */
/* Counts the lines that lead nowhere. */
__global__ void touch_lines(size_t lines, struct line *x, unsigned *lost)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < lines; i += (size_t)gridDim.x * blockDim.x)
        if (x[i].next == NULL)
            atomicAdd(lost, 1);
}

/* chase through shared memory */
enum { SHARED_LINES = 1024 };

__global__ void chase_shared(int hops, struct trip *trip)
{
    __shared__ unsigned table[SHARED_LINES];
    unsigned at = 0;
    long long start;

    for (unsigned i = 0; i < SHARED_LINES; i++)
        table[i] = (unsigned)(line_after(i, SHARED_LINES) * sizeof *table);
    start = clock64();
#pragma unroll 8
    for (int h = 0; h < hops; h++)
        at = *(const unsigned *)((const char *)table + at);
    trip->ns = at; /* where it came out */
    trip->cycles = clock64() - start;
}

/* send a chase and check its end */
/* Cycles and nanoseconds of a hop in a working set of `lines` lines. */
static inline struct trip chase(size_t lines, int hops)
{
    int warm = lines <= 1 << 13 ? (int)lines : 64;
    struct trip trip = {NULL, 0, 0}, *d_trip;
    struct line *d_x;
    unsigned *d_lost, lost;
    size_t at = 0;

    CUDA_CHECK(cudaMalloc((void **)&d_x, lines * sizeof *d_x));
    CUDA_CHECK(cudaMalloc((void **)&d_trip, sizeof *d_trip));
    CUDA_CHECK(cudaMalloc((void **)&d_lost, sizeof *d_lost));
    CUDA_CHECK(cudaMemset(d_lost, 0, sizeof *d_lost));
    link_lines<<<1056, 256>>>(lines, d_x);
    touch_lines<<<1056, 256>>>(lines, d_x, d_lost);
    chase_lines<<<1, 1>>>(warm, hops, d_x, d_trip);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&trip, d_trip, sizeof trip, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&lost, d_lost, sizeof lost, cudaMemcpyDeviceToHost));
    for (int h = 0; h < warm + hops; h++)
        at = line_after(at, lines);
    CHECK(lost == 0, "%u lines lead nowhere", lost);
    CHECK(trip.end == d_x + at, "lost in %zu lines", lines);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_trip));
    CUDA_CHECK(cudaFree(d_lost));
    return trip;
}

/* send a chase through shared memory */
static inline double chase_in_shared(int hops)
{
    struct trip trip, *d_trip;
    size_t at = 0;

    CUDA_CHECK(cudaMalloc((void **)&d_trip, sizeof *d_trip));
    chase_shared<<<1, 1>>>(hops, d_trip);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&trip, d_trip, sizeof trip, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_trip));
    for (int h = 0; h < hops; h++)
        at = line_after(at, SHARED_LINES);
    CHECK((size_t)trip.ns == at * sizeof(unsigned), "ends at %lld", trip.ns);
    return (double)trip.cycles / hops;
}

/* time loads that wait and loads that do not */
enum { LOADS = 8, APART = 1024, FAR = (2 * LOADS + 1) * APART };
enum { ONE, TOGETHER, ISSUED, CHAINED, STORED, TIMES };

__global__ void time_loads(const volatile int *x, volatile int *out,
                           long long *spent)
{
    long long t[6];
    int v[LOADS], at = 0, sum = 0;

    out[3] = x[FAR + 64]; /* finds the page, for all */
    t[0] = clock64();
    out[0] = x[FAR]; /* the store needs the value: it waits */
    t[1] = clock64();
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        v[k] = x[k * APART + 64];
    t[2] = clock64();
    for (int k = 0; k < LOADS; k++)
        sum += v[k];
    out[1] = sum;
    t[3] = clock64();
    for (int k = 0; k < LOADS; k++)
        at = x[at + (k ? APART : APART + 128)];
    out[2] = at;
    t[4] = clock64();
    for (int k = 0; k < LOADS; k++)
        out[k * APART + 64] = k;
    t[5] = clock64();
    /* note the five times */
    spent[ONE] = t[1] - t[0];
    spent[ISSUED] = t[2] - t[1];
    spent[TOGETHER] = t[3] - t[1];
    spent[CHAINED] = t[4] - t[3];
    spent[STORED] = t[5] - t[4];
}

/* run the loads */
static void run_loads(long long *spent)
{
    enum { N = (2 * LOADS + 2) * APART };
    size_t flush = 1 + 3 * (size_t)bench_attribute(cudaDevAttrL2CacheSize);
    int *h = (int *)check_alloc(N, sizeof *h), *d_x, *d_out;
    long long *d_spent, now[TIMES];
    char *d_flush;

    CUDA_CHECK(cudaMalloc((void **)&d_x, N * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_out, N * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_spent, TIMES * sizeof *d_spent));
    CUDA_CHECK(cudaMalloc((void **)&d_flush, flush));
    for (int round = 0; round < 5; round++) {
        /* clear the caches and time the loads */
        for (int i = 0; i < N; i++)
            h[i] = i;
        CUDA_CHECK(cudaMemcpy(d_x, h, N * sizeof *h, cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(d_out, 0xff, N * sizeof *h));
        CUDA_CHECK(cudaMemset(d_flush, round, flush));
        time_loads<<<1, 1>>>(d_x, d_out, d_spent);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(
            cudaMemcpy(now, d_spent, sizeof now, cudaMemcpyDeviceToHost));
        for (int k = 0; k < TIMES; k++)
            if (round == 0 || now[k] < spent[k])
                spent[k] = now[k];
    }
    /* check what was loaded and stored */
    CUDA_CHECK(cudaMemcpy(h, d_out, N * sizeof *h, cudaMemcpyDeviceToHost));
    CHECK(h[0] == FAR && h[3] == FAR + 64, "one load brought %d", h[0]);
    CHECK(h[1] == LOADS * (LOADS - 1) / 2 * APART + LOADS * 64,
          "eight loads brought %d", h[1]);
    CHECK(h[2] == LOADS * APART + 128, "the chain ends at %d", h[2]);
    for (int k = 0; k < LOADS; k++)
        CHECK(h[k * APART + 64] == k, "store %d is lost", k);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_out));
    CUDA_CHECK(cudaFree(d_spent));
    CUDA_CHECK(cudaFree(d_flush));
    free(h);
}
#endif

/* chase.cuh: the latency of a load, by following pointers. */
#ifndef MEMORY_CHASE_CUH
#define MEMORY_CHASE_CUH

#include "kernels/launch.h"
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
        if (__ldcg((unsigned long long *)&x[i].next) == 0)
            atomicAdd(lost, 1);
}

/* chase through shared memory */
enum { SHARED_LINES = 1024 };

__global__ void chase_shared(int hops, unsigned *end, long long *spent)
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
    *end = at;
    *spent = clock64() - start;
}

/* send a chase and check its end */
/* Cycles and nanoseconds of a hop in a working set of `lines` lines. */
static void chase(size_t lines, int hops, double *each, double *ns)
{
    int warm = lines <= 1 << 13 ? (int)lines : 64;
    struct line *d_x;
    struct trip *d_trip, trip;
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
    /* fetch the trip */
    CUDA_CHECK(cudaMemcpy(&trip, d_trip, sizeof trip, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&lost, d_lost, sizeof lost, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_trip));
    CUDA_CHECK(cudaFree(d_lost));
    for (int h = 0; h < warm + hops; h++)
        at = line_after(at, lines);
    CHECK(lost == 0, "%u lines lead nowhere", lost);
    CHECK(trip.end == d_x + at, "the chase through %zu lines lost its way",
          lines);
    *each = (double)trip.cycles / hops;
    *ns = (double)trip.ns / hops;
}

/* send a chase through shared memory */
static double chase_in_shared(int hops)
{
    unsigned *d_end, end;
    long long *d_spent, spent;
    size_t at = 0;

    CUDA_CHECK(cudaMalloc((void **)&d_end, sizeof *d_end));
    CUDA_CHECK(cudaMalloc((void **)&d_spent, sizeof *d_spent));
    chase_shared<<<1, 1>>>(hops, d_end, d_spent);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&end, d_end, sizeof end, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(&spent, d_spent, sizeof spent, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_end));
    CUDA_CHECK(cudaFree(d_spent));
    for (int h = 0; h < hops; h++)
        at = line_after(at, SHARED_LINES);
    CHECK(end == at * sizeof(unsigned), "the chase ends at %u", end);
    return (double)spent / hops;
}
#endif

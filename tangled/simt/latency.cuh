/* latency.cuh: instructions per cycle of an SM, for a number of warps. */
#ifndef SIMT_LATENCY_CUH
#define SIMT_LATENCY_CUH

#include "kernels/launch.h"
#include "measure/bench.h"
#include "simt/reference.h"
#include "simt/where.cuh"

/* note a warp's first and last cycle */
struct shift {
    long long start, end; /* cycles of one SM */
    unsigned sm, unused;
};

static __device__ inline void note_shift(struct shift *shifts, long long start)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (my_lane() == 0) {
        struct shift s = {start, cycles(), sm_id(), 0};

        shifts[i / WARP] = s;
    }
}

__global__ void chain(int turns, float a, float b, float *x,
                      struct shift *shifts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = cycles();
    float v = (float)(i % 7);

#pragma unroll 16
    for (int t = 0; t < turns; t++)
        v = fmaf(v, a, b);
    x[i] = v;
    note_shift(shifts, start);
}

/* run four chains in each thread */
__global__ void chains(int turns, float a, float b, float *x,
                       struct shift *shifts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long start = cycles();
    float v[4] = {(float)(i % 7), (float)(i % 5), (float)(i % 3), 1};

#pragma unroll 4
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = fmaf(v[k], a, b);
    x[i] = (v[0] + v[1]) + (v[2] + v[3]);
    note_shift(shifts, start);
}

/* chase pointers through a table */
enum { TABLE = 1 << 21, LEAP = 32 * 1031 }; /* ints: 8 MiB; a leap */

__global__ void fill_table(int *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < TABLE)
        next[i] = (i + LEAP) % TABLE;
}

__global__ void chase(int turns, const int *next, int *x, struct shift *shifts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i % TABLE;
    long long start = cycles();

#pragma unroll 4
    for (int t = 0; t < turns; t++)
        at = next[at];
    x[i] = at;
    note_shift(shifts, start);
}

/* compute the instructions per cycle */
enum { SM_MOST = 1024 }; /* more SMs than any GPU has */

/* `count` warps made `each` instructions; the median over the SMs that held
   exactly `want` of the warps, or 0 when none did. */
static double ipc_of(const struct shift *s, int count, int want, double each)
{
    static struct shift span[SM_MOST];
    static int held[SM_MOST];
    static double ipc[SM_MOST];
    int found = 0;

    memset(held, 0, sizeof held);
    for (int w = 0; w < count; w++) {
        unsigned sm = s[w].sm;

        CHECK(sm < SM_MOST, "warp %d says that it was on SM %u", w, sm);
        if (held[sm]++ == 0 || s[w].start < span[sm].start)
            span[sm].start = s[w].start;
        if (held[sm] == 1 || s[w].end > span[sm].end)
            span[sm].end = s[w].end;
    }
    for (int sm = 0; sm < SM_MOST; sm++)
        if (held[sm] == want && span[sm].end > span[sm].start)
            ipc[found++] =
                want * each / (double)(span[sm].end - span[sm].start);
    return found ? stats_of(ipc, found).median : 0;
}

/* hold what a measurement needs */
enum latency_kind { CHAIN, CHAINS, CHASE, LATENCY_KINDS };
static const char *const latency_names[] = {"chain", "chains", "chase"};

struct latency {
    int sms, blocks, threads, turns; /* blocks of `threads` threads */
    int *d_next, *d_x;               /* x: one int or float a thread */
    struct shift *d_shifts, *h_shifts;
    int *h_x;
};

/* set up a measurement */
static struct latency latency_new(int sms, int warps, int turns)
{
    struct latency l;
    size_t n;

    l.sms = sms;
    l.blocks = sms * (warps > 32 ? 2 : 1);
    l.threads = warps * WARP / (warps > 32 ? 2 : 1);
    l.turns = turns;
    n = (size_t)l.blocks * l.threads;
    CUDA_CHECK(cudaMalloc((void **)&l.d_next, TABLE * sizeof(int)));
    CUDA_CHECK(cudaMalloc((void **)&l.d_x, n * sizeof(int)));
    CUDA_CHECK(
        cudaMalloc((void **)&l.d_shifts, n / WARP * sizeof(struct shift)));
    l.h_x = (int *)check_alloc(n, sizeof(int));
    l.h_shifts = (struct shift *)check_alloc(n / WARP, sizeof(struct shift));
    fill_table<<<TABLE / 256, 256>>>(l.d_next);
    CUDA_LAUNCH_CHECK();
    return l;
}

static void latency_free(struct latency *l)
{
    CUDA_CHECK(cudaFree(l->d_next));
    CUDA_CHECK(cudaFree(l->d_x));
    CUDA_CHECK(cudaFree(l->d_shifts));
    free(l->h_x);
    free(l->h_shifts);
}

/* run a kernel and compute its rate */
static double latency_run(struct latency *l, enum latency_kind kind)
{
    size_t n = (size_t)l->blocks * l->threads, warps = n / WARP;

    CUDA_CHECK(cudaMemset(l->d_x, 0xff, n * sizeof(int)));
    if (kind == CHAIN)
        chain<<<l->blocks, l->threads>>>(l->turns, 0.5f, 1, (float *)l->d_x,
                                         l->d_shifts);
    else if (kind == CHAINS)
        chains<<<l->blocks, l->threads>>>(l->turns, 0.5f, 1, (float *)l->d_x,
                                          l->d_shifts);
    else
        chase<<<l->blocks, l->threads>>>(l->turns, l->d_next, l->d_x,
                                         l->d_shifts);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(
        cudaMemcpy(l->h_x, l->d_x, n * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(l->h_shifts, l->d_shifts,
                          warps * sizeof(struct shift),
                          cudaMemcpyDeviceToHost));
    return ipc_of(l->h_shifts, (int)warps, (int)warps / l->sms,
                  (double)l->turns * (kind == CHAINS ? 4 : 1));
}

/* check the ends of chains and chases */
static float chains_want(int turns, enum latency_kind kind, int i)
{
    float v = chain_reference(turns, 0.5f, 1, (float)(i % 7));

    if (kind == CHAIN)
        return v;
    return (v + chain_reference(turns, 0.5f, 1, (float)(i % 5))) +
           (chain_reference(turns, 0.5f, 1, (float)(i % 3)) +
            chain_reference(turns, 0.5f, 1, 1));
}

static void latency_check(const struct latency *l, enum latency_kind kind)
{
    int n = l->blocks * l->threads;
    float want[105];

    for (int i = 0; i < 105; i++)
        want[i] = chains_want(l->turns, kind, i);
    for (int i = 0; i < n; i++) {
        int64_t at = (i + (int64_t)l->turns * LEAP) % TABLE;
        float got;

        memcpy(&got, &l->h_x[i], sizeof got);
        CHECK(kind == CHASE ? l->h_x[i] == at : got == want[i % 105],
              "%s of %d turns: thread %d ends at the wrong place",
              latency_names[kind], l->turns, i);
    }
}

#endif

/* latency.cuh: instructions per cycle of an SM, for a number of warps. */
#ifndef SIMT_LATENCY_CUH
#define SIMT_LATENCY_CUH

#include "kernels/launch.h"
#include "measure/stats.h"
#include "simt/where.cuh"

/* follow chains in each thread */
struct shift {
    long long start, end; /* cycles of one SM */
    unsigned sm, unused;
};

/* Each thread makes turns * K multiply-adds; a shift for each warp. */
template <int K>
__global__ void chains(int turns, float a, float b, float *x,
                       struct shift *shifts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    struct shift mine = {clock64(), 0, sm_id(), 0};
    float v[K], sum = 0;

    for (int k = 0; k < K; k++)
        v[k] = (float)((i + k) % 7);
#pragma unroll(64 / K)
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < K; k++)
            v[k] = fmaf(v[k], a, b);
    for (int k = 0; k < K; k++)
        sum += v[k];
    x[i] = sum;
    mine.end = clock64();
    if (my_lane() == 0)
        shifts[i / WARP] = mine;
}

/* chase pointers through a table */
enum { TABLE = 1 << 21, LEAP = 32 * 1031 }; /* ints: 8 MiB; a leap */

/* fill the table with leaps */
__global__ void fill_table(int *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < TABLE)
        next[i] = (i + LEAP) % TABLE;
}
__global__ void chase(int turns, const int *next, int *x, struct shift *shifts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i % TABLE;
    struct shift mine = {clock64(), 0, sm_id(), 0};

#pragma unroll 4
    for (int t = 0; t < turns; t++)
        at = next[at];
    x[i] = at;
    mine.end = clock64();
    if (my_lane() == 0)
        shifts[i / WARP] = mine;
}

/* compute the instructions per cycle */
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

/* follow chains on the CPU */
/* The sum of `count` chains x -> a x + b of `turns` turns that start from i % 7,
   (i + 1) % 7, ...: what thread i of chains<count> computes. */
static float chains_reference(int turns, int count, float a, float b, int i)
{
    float sum = 0;

    for (int k = 0; k < count; k++) {
        float v = (float)((i + k) % 7);

        for (int t = 0; t < turns; t++)
            v = fmaf(v, a, b);
        sum += v;
    }
    return sum;
}

/* check the ends of chains and chases */
static void check_ends(int turns, int count, const int *x, size_t n)
{
    float want[7], got;

    for (int i = 0; i < 7; i++)
        want[i] = chains_reference(turns, count, 0.5f, 1, i);
    for (size_t i = 0; i < n; i++) {
        memcpy(&got, &x[i], sizeof got);
        CHECK(count ? got == want[i % 7]
                    : x[i] == (int)((i + (int64_t)turns * LEAP) % TABLE),
              "%d chains of %d turns: thread %zu ends at the wrong place",
              count, turns, i);
    }
}

/* run a kernel and compute its rate */
static const struct {
    const char *name;
    int count; /* chains a thread; 0 is the chase */
} latencies[] = {{"chain", 1}, {"chains", 4}, {"chase", 0}};

/* The IPC of `count` chains a thread, or of the chase when count is 0. */
static double rate(int count, int sms, int warps, int turns)
{
    int split = warps > 32 ? 2 : 1;
    int blocks = sms * split, threads = warps / split * WARP;
    size_t n = (size_t)blocks * threads, bytes = n * sizeof(int);
    size_t notes = n / WARP * sizeof(struct shift);
    int *h_x = (int *)check_alloc(n, sizeof *h_x), *d_x, *d_next;
    struct shift *h = (struct shift *)check_alloc(notes, 1), *d;

    CUDA_CHECK(cudaMalloc((void **)&d_x, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_next, TABLE * sizeof(int)));
    CUDA_CHECK(cudaMalloc((void **)&d, notes));
    CUDA_CHECK(cudaMemset(d_x, 0xff, bytes));
    /* launch what was asked for */
    if (count == 1) {
        chains<1><<<blocks, threads>>>(turns, 0.5f, 1, (float *)d_x, d);
    } else if (count == 4) {
        chains<4><<<blocks, threads>>>(turns, 0.5f, 1, (float *)d_x, d);
    } else {
        fill_table<<<TABLE / 256, 256>>>(d_next);
        chase<<<blocks, threads>>>(turns, d_next, d_x, d);
    }
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h, d, notes, cudaMemcpyDeviceToHost));
    check_ends(turns, count, h_x, n);
    /* free the measurement and return the rate */
    double ipc =
        ipc_of(h, (int)(n / WARP), warps, (double)turns * (count ? count : 1));

    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_next));
    CUDA_CHECK(cudaFree(d));
    free(h_x);
    free(h);
    return ipc;
}

#endif

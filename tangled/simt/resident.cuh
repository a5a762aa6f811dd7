/* resident.cuh: when and where each block ran, and how many were together. */
#ifndef SIMT_RESIDENT_CUH
#define SIMT_RESIDENT_CUH

#include "kernels/launch.h"
#include "simt/where.cuh"

/* note when and where a block ran */
struct stay {
    unsigned long long start, end; /* ns, of the whole GPU's clock */
    unsigned sm, unused;
};

static __host__ __device__ inline int portions(int block)
{
    return 1 + block * 7 % 5;
}

__global__ void reside(int turns, struct stay *stays, float *out)
{
    struct stay *mine = &stays[blockIdx.x];
    unsigned long long start = global_ns();
    float x = (float)threadIdx.x;

    for (int i = turns * portions((int)blockIdx.x); i > 0; i--)
        x = fmaf(x, 0.5f, 1.0f);
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = x;
    if (my_lane() == 0) {
        atomicMin(&mine->start, start);
        atomicMax(&mine->end, global_ns());
    }
    if (my_number() == 0)
        mine->sm = sm_id();
}

/* let blocks reside and read their notes */
/* Runs `blocks` blocks, each with `shared` bytes of shared memory. Fills h. */
static void stay_all(int blocks, int threads, size_t shared, int turns,
                     struct stay *h)
{
    size_t bytes = blocks * sizeof *h, n = (size_t)blocks * threads;
    float *h_out = (float *)check_alloc(n, sizeof *h_out), *d_out;
    struct stay *d, fresh = {~0ull, 0, ~0u, 0};

    for (int b = 0; b < blocks; b++)
        h[b] = fresh;
    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_out, n * sizeof *d_out));
    CUDA_CHECK(cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_out, 0xff, n * sizeof *d_out));
    reside<<<blocks, threads, shared>>>(turns, d, d_out);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(h_out, d_out, n * sizeof *d_out, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h_out[i] == 2, "thread %zu has %g, not 2", i, h_out[i]);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_out));
    free(h_out);
}

/* count the blocks that were together */
/* The most of n blocks that were on one SM at the same instant. */
static inline int most_together(const struct stay *s, int n)
{
    int most = 0;

    for (int i = 0; i < n; i++) {
        int together = 0;

        for (int k = 0; k < n; k++)
            together += s[k].sm == s[i].sm && s[k].start <= s[i].start &&
                        s[i].start < s[k].end;
        if (together > most)
            most = together;
    }
    return most;
}

/* divide the room of an SM */
/* Blocks of `threads` threads and `shared` bytes that fit on an SM, as far as
   places and shared memory decide. */
static inline int room(int threads, size_t shared)
{
    struct cudaDeviceProp p;
    int device, fit, warps = (int)ceil_div((size_t)threads, WARP);

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&p, device));
    fit = p.maxThreadsPerMultiProcessor / (warps * WARP);
    if (fit > p.maxBlocksPerMultiProcessor)
        fit = p.maxBlocksPerMultiProcessor;
    shared += p.reservedSharedMemPerBlock;
    if (shared > 0 && fit > (int)(p.sharedMemPerMultiprocessor / shared))
        fit = (int)(p.sharedMemPerMultiprocessor / shared);
    return fit;
}

#endif

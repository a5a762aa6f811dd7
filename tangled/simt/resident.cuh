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
    struct stay mine = {global_ns(), 0, sm_id(), 0};
    float x = (float)blockIdx.x;

    if (my_number() == 0) {
        for (int i = turns * portions((int)blockIdx.x); i > 0; i--)
            x = fmaf(x, 0.5f, 1.0f);
        out[blockIdx.x] = x;
        mine.end = global_ns();
        stays[blockIdx.x] = mine;
    }
    __syncthreads();
}

/* let blocks reside and read their notes */
/* Runs `blocks` blocks, each with `shared` bytes of shared memory. Fills h. */
static void stay_all(int blocks, int threads, size_t shared, int turns,
                     struct stay *h)
{
    size_t bytes = blocks * sizeof *h, n = blocks * sizeof(float);
    float *h_out = (float *)check_alloc(n, 1), *d_out;
    struct stay *d;

    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_out, n));
    CUDA_CHECK(cudaMemset(d, 0xff, bytes));
    CUDA_CHECK(cudaMemset(d_out, 0xff, n));
    reside<<<blocks, threads, shared>>>(turns, d, d_out);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(h_out, d_out, n, cudaMemcpyDeviceToHost));
    for (int b = 0; b < blocks; b++)
        CHECK(h_out[b] == 2 && h[b].start <= h[b].end && h[b].sm < SM_MOST,
              "block %d has %g, not 2, or no times", b, h_out[b]);
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
    int fit, warps = (int)ceil_div((size_t)threads, WARP);

    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    fit = p.maxThreadsPerMultiProcessor / (warps * WARP);
    if (fit > p.maxBlocksPerMultiProcessor)
        fit = p.maxBlocksPerMultiProcessor;
    shared += p.reservedSharedMemPerBlock;
    if (shared > 0 && fit > (int)(p.sharedMemPerMultiprocessor / shared))
        fit = (int)(p.sharedMemPerMultiprocessor / shared);
    return fit;
}

#endif

/* read.cuh: reading and nothing else, the ceiling of sums and histograms. */
#ifndef ATOMICS_READ_CUH
#define ATOMICS_READ_CUH

#include "kernels/launch.h"

enum { READ_LOADS = 4, READ_THREADS = 512 };

__global__ void read_only(size_t n, const uint4 *in, unsigned *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned all = 0;

    for (; i < n; i += READ_LOADS * step) {
        uint4 w[READ_LOADS];

#pragma unroll
        for (int k = 0; k < READ_LOADS; k++)
            w[k] = i + k * step < n ? __ldcs(&in[i + k * step])
                                    : make_uint4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < READ_LOADS; k++)
            all ^= w[k].x ^ w[k].y ^ w[k].z ^ w[k].w;
    }
    if (all == 0x12345678u)
        *out = all;
}

/* Queues the reading of the whole 16-byte words of in[0..bytes). */
static inline void read_run(size_t bytes, const void *in, int sms, void *out)
{
    size_t skip = (0 - (uintptr_t)in) % 16;

    read_only<<<4 * (unsigned)sms, READ_THREADS>>>(
        bytes < skip ? 0 : (bytes - skip) / 16,
        (const uint4 *)((const char *)in + skip), (unsigned *)out);
    CUDA_LAUNCH_CHECK();
}

#endif

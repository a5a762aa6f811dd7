/* spill.cuh: what is kept in registers, and what cannot be. */
#ifndef MEMORY_SPILL_CUH
#define MEMORY_SPILL_CUH

#include "kernels/launch.h"

/* count digits by an index */
/* counts[d * threads + i] = how many of the 8 * words digits of thread i
   are d; its words are x[i], x[i + threads], ... */
__global__ void count_by_index(int words, const unsigned *x, int *counts)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bins[16] = {0};

    for (int w = 0; w < words; w++) {
        unsigned word = x[(size_t)w * threads + i];

        for (int k = 0; k < 8; k++, word >>= 4)
            bins[word & 15]++;
    }
    for (int d = 0; d < 16; d++)
        counts[(size_t)d * threads + i] = bins[d];
}

/* count digits by asking */
__global__ void count_by_asking(int words, const unsigned *x, int *counts)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bins[16] = {0};

    for (int w = 0; w < words; w++) {
        unsigned word = x[(size_t)w * threads + i];

        for (int k = 0; k < 8; k++, word >>= 4)
#pragma unroll
            for (unsigned d = 0; d < 16; d++)
                bins[d] += (word & 15) == d;
    }
#pragma unroll
    for (int d = 0; d < 16; d++)
        counts[(size_t)d * threads + i] = bins[d];
}

/* keep many sums alive */
/* y[i] = the sum of 64 numbers that are taken through v -> v / 2 + 1 until they
   arrive at 2, exactly: some 60 turns. */
__global__ void keep_many(int turns, float half, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[64], sum = 0;

#pragma unroll
    for (int k = 0; k < 64; k++)
        v[k] = (float)(i % 7 + k);
    for (int t = 0; t < turns; t++)
#pragma unroll
        for (int k = 0; k < 64; k++)
            v[k] = fmaf(v[k], half, 1);
#pragma unroll
    for (int k = 0; k < 64; k++)
        sum += v[k];
    y[i] = sum;
}
#endif

/* batches.cuh: batches to load, and a kernel that reads them. */
#ifndef ASYNC_BATCHES_CUH
#define ASYNC_BATCHES_CUH

#include "async/loader.cuh"
#include "kernels/launch.h"

/* Word i of a batch: odd factors keep the words of two batches apart. */
static inline unsigned batch_word(unsigned batch, unsigned i)
{
    return (batch + 1) * 2654435761u + i * 40503u;
}

/* Fills a batch; the source is the number of its words. */
static inline void batch_fill(void *source, int batch, void *to)
{
    size_t words = *(size_t *)source;

    for (size_t i = 0; i < words; i++)
        ((unsigned *)to)[i] = batch_word((unsigned)batch, (unsigned)i);
}

/* Adds n words to *sum, with any grid. */
__global__ void add_up(size_t n, const unsigned *x, unsigned *sum)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    unsigned mine = 0;

    for (; i < n; i += gridDim.x * (size_t)blockDim.x)
        mine += x[i];
    atomicAdd(sum, mine);
}

#endif

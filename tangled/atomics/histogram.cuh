/* histogram.cuh: how often each byte value occurs, by five kinds of kernel. */
#ifndef ATOMICS_HISTOGRAM_CUH
#define ATOMICS_HISTOGRAM_CUH

#include "atomics/reference.h"
#include "kernels/launch.h"

/* count in global memory */
/* counts[b] += how many of in[0..n) are b. Any grid. */
__global__ void count_global(size_t n, const unsigned char *in,
                             unsigned *counts)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (; i < n; i += step)
        atomicAdd(&counts[in[i]], 1u);
}

/* count in one table a block */
__global__ void count_block(size_t n, const unsigned char *in, unsigned *counts)
{
    __shared__ unsigned table[BINS];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        table[b] = 0;
    __syncthreads();
    for (; i < n; i += step)
        atomicAdd(&table[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (table[b] != 0)
            atomicAdd(&counts[b], table[b]);
}

/* cut the array at multiples of 16 */
/* in[0..n) as head bytes, then `vectors` aligned 16-byte words, then the rest. */
struct cut {
    size_t head, vectors, tail; /* tail: where it begins */
};

static __host__ __device__ inline struct cut cut_at_16(size_t n, const void *in)
{
    struct cut c;

    c.head = (16 - (size_t)in % 16) % 16;
    if (c.head > n)
        c.head = n;
    c.vectors = (n - c.head) / 16;
    c.tail = c.head + 16 * c.vectors;
    return c;
}

/* clear the table */
/* Sets the block's table to 0. Ends with a barrier. */
static __device__ inline void clear_table(unsigned *table, int words)
{
    for (int i = threadIdx.x; i < words; i += blockDim.x)
        table[i] = 0;
    __syncthreads();
}

/* add up the table */
/* Adds the rows of the block's table to counts. Begins with a barrier. */
template <int COLUMNS>
static __device__ inline void add_table(const unsigned *table, unsigned *counts)
{
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
        unsigned sum = 0;

#pragma unroll 4
        for (int k = 0; k < COLUMNS; k++)
            sum += table[COLUMNS * b + (b + k) % COLUMNS];
        if (sum != 0)
            atomicAdd(&counts[b], sum);
    }
}

/* count sixteen bytes */
template <int COLUMNS>
static __device__ inline void count_4(unsigned w, unsigned *column)
{
    atomicAdd(&column[COLUMNS * (w & 255)], 1u);
    atomicAdd(&column[COLUMNS * (w >> 8 & 255)], 1u);
    atomicAdd(&column[COLUMNS * (w >> 16 & 255)], 1u);
    atomicAdd(&column[COLUMNS * (w >> 24)], 1u);
}

template <int COLUMNS>
static __device__ inline void count_16(uint4 v, unsigned *column)
{
    count_4<COLUMNS>(v.x, column);
    count_4<COLUMNS>(v.y, column);
    count_4<COLUMNS>(v.z, column);
    count_4<COLUMNS>(v.w, column);
}

/* count the ragged ends */
/* The ragged ends, a byte a thread; called by one block of >= 32 threads. */
template <int COLUMNS>
static __device__ inline void
count_ends(struct cut c, size_t n, const unsigned char *in, unsigned *column)
{
    if (threadIdx.x < c.head)
        atomicAdd(&column[COLUMNS * in[threadIdx.x]], 1u);
    if (threadIdx.x < n - c.tail)
        atomicAdd(&column[COLUMNS * in[c.tail + threadIdx.x]], 1u);
}

/* count in columns */
/* The same with `COLUMNS` (a power of two <= 32) counters for each bin; lane l
   adds in column l % COLUMNS. 16-byte loads. Any grid, blocks of >= 32. */
template <int COLUMNS>
__global__ void count_columns(size_t n, const unsigned char *in,
                              unsigned *counts)
{
    __shared__ unsigned table[BINS * COLUMNS];
    unsigned *column = &table[threadIdx.x % COLUMNS];
    struct cut c = cut_at_16(n, in);
    const uint4 *v = (const uint4 *)(in + c.head);

    clear_table(table, BINS * COLUMNS);
    if (blockIdx.x == 0)
        count_ends<COLUMNS>(c, n, in, column);
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
         i < c.vectors; i += (size_t)gridDim.x * blockDim.x)
        count_16<COLUMNS>(v[i], column);
    add_table<COLUMNS>(table, counts);
}

/* count sixteen bytes by runs */
static __device__ inline void count_16_runs(uint4 v, unsigned *table)
{
    unsigned w[4] = {v.x, v.y, v.z, v.w}, before = v.x & 255, run = 0;

#pragma unroll
    for (int j = 0; j < 16; j++) {
        unsigned b = w[j / 4] >> 8 * (j % 4) & 255;

        if (b != before) {
            atomicAdd(&table[before], run);
            before = b;
            run = 0;
        }
        run++;
    }
    atomicAdd(&table[before], run);
}

/* count runs */
/* One table a block; equal neighbors in a thread's 16 bytes are one addition. */
__global__ void count_runs(size_t n, const unsigned char *in, unsigned *counts)
{
    __shared__ unsigned table[BINS];
    struct cut c = cut_at_16(n, in);
    const uint4 *v = (const uint4 *)(in + c.head);

    clear_table(table, BINS);
    if (blockIdx.x == 0)
        count_ends<1>(c, n, in, table);
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
         i < c.vectors; i += (size_t)gridDim.x * blockDim.x)
        count_16_runs(v[i], table);
    add_table<1>(table, counts);
}

/* count fast */
__global__ void __launch_bounds__(1024, 1)
    count_fast(size_t n, const unsigned char *in, unsigned *counts)
{
    __shared__ unsigned table[BINS * 32];
    unsigned *column = &table[threadIdx.x % 32];
    struct cut c = cut_at_16(n, in);
    const uint4 *v = (const uint4 *)(in + c.head);
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    bool two = i + step < c.vectors;
    uint4 x, y;

    if (two)
        x = __ldcs(&v[i]), y = __ldcs(&v[i + step]);
    clear_table(table, BINS * 32);
    while (two) {
        /* load the next two vectors and count these */
        uint4 next_x = x, next_y = y;

        i += 2 * step;
        two = i + step < c.vectors;
        if (two)
            next_x = __ldcs(&v[i]), next_y = __ldcs(&v[i + step]);
        count_16<32>(x, column);
        count_16<32>(y, column);
        x = next_x;
        y = next_y;
    }
    if (i < c.vectors)
        count_16<32>(v[i], column);
    if (blockIdx.x == 0)
        count_ends<32>(c, n, in, column);
    add_table<32>(table, counts);
}

/* ask how many SMs there are */
/* The SMs of the current device; asked for once. */
static int device_sms(void)
{
    static int sms;
    int device;

    if (sms == 0) {
        CUDA_CHECK(cudaGetDevice(&device));
        CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount,
                                          device));
    }
    return sms;
}

/* list the histograms */
typedef void histogram_kernel(size_t n, const unsigned char *in,
                              unsigned *counts);

struct histogram {
    const char *name;
    histogram_kernel *kernel;
    int threads, blocks_an_sm;
};

static const struct histogram histograms[] = {
    {"global", count_global, 1024, 2},
    {"block", count_block, 1024, 2},
    {"runs", count_runs, 1024, 2},
    {"columns1", count_columns<1>, 1024, 2},
    {"columns2", count_columns<2>, 1024, 2},
    {"columns4", count_columns<4>, 1024, 2},
    {"columns8", count_columns<8>, 1024, 2},
    {"columns16", count_columns<16>, 1024, 2},
    {"columns32", count_columns<32>, 1024, 2},
    {"fast", count_fast, 1024, 1},
};
enum { HISTOGRAMS = sizeof histograms / sizeof *histograms };

/* launch a histogram */
/* counts[0..BINS) = the histogram of in[0..n), on the device; n < 2^32. Queued
   in the default stream, as a memset and a kernel with blocks enough for `sms`
   SMs. in need not be aligned. */
static void histogram(const struct histogram *h, size_t n,
                      const unsigned char *d_in, unsigned *d_counts, int sms)
{
    size_t most = (size_t)sms * h->blocks_an_sm;
    size_t blocks = ceil_div(n, (size_t)16 * h->threads);

    CUDA_CHECK(cudaMemsetAsync(d_counts, 0, BINS * sizeof *d_counts, 0));
    if (blocks > most)
        blocks = most;
    if (blocks > 0)
        h->kernel<<<(unsigned)blocks, h->threads>>>(n, d_in, d_counts);
    CUDA_LAUNCH_CHECK();
}

#endif

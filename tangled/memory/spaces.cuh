/* spaces.cuh: registers, local memory and constant memory. */
#ifndef MEMORY_SPACES_CUH
#define MEMORY_SPACES_CUH

#include "memory/fill.cuh"

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

/* look up in a table */
enum { ENTRIES = 1024 };
__constant__ float constant_table[ENTRIES];

/* y[i] = the sum of `turns` entries, the first at spread * (i % 32). */
__global__ void look_up_constant(int spread, int turns, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = spread * (i % 32);
    float sum = 0;

    for (int t = 0; t < turns; t++)
        sum += constant_table[(at + t) % ENTRIES];
    y[i] = sum;
}

__global__ void look_up_global(int spread, int turns,
                               const float *__restrict__ table, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = spread * (i % 32);
    float sum = 0;

    for (int t = 0; t < turns; t++)
        sum += __ldg(&table[(at + t) % ENTRIES]);
    y[i] = sum;
}

/* set up the tables */
struct tables {
    int blocks, turns, constant, spread;
    float *d_table, *d_y;
};

static inline struct tables tables_new(int blocks, int turns, uint64_t seed)
{
    struct tables t = {blocks, turns, 0, 0, small_floats(ENTRIES, seed), NULL};
    float h[ENTRIES];

    for (int i = 0; i < ENTRIES; i++)
        h[i] = small_at(seed, (uint64_t)i);
    CUDA_CHECK(cudaMemcpyToSymbol(constant_table, h, sizeof h));
    CUDA_CHECK(cudaMalloc((void **)&t.d_y, blocks * 256 * sizeof(float)));
    return t;
}

static inline void tables_free(struct tables *t)
{
    CUDA_CHECK(cudaFree(t->d_table));
    CUDA_CHECK(cudaFree(t->d_y));
}

/* look up */
static inline void look_up(void *work, int set)
{
    struct tables *t = (struct tables *)work;

    (void)set;
    if (t->constant)
        look_up_constant<<<t->blocks, 256>>>(t->spread, t->turns, t->d_y);
    else
        look_up_global<<<t->blocks, 256>>>(t->spread, t->turns, t->d_table,
                                           t->d_y);
    CUDA_LAUNCH_CHECK();
}

/* check a look-up */
static inline void check_look_up(struct tables *t, uint64_t seed)
{
    size_t n = (size_t)t->blocks * 256;
    float *h = (float *)check_alloc(n, sizeof *h);

    CUDA_CHECK(cudaMemset(t->d_y, 0xff, n * sizeof *h));
    look_up(t, 0);
    CUDA_CHECK(cudaMemcpy(h, t->d_y, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++) {
        size_t first = t->spread * (i % 32);
        float want = 0;

        for (int k = 0; k < t->turns; k++)
            want += small_at(seed, (first + k) % ENTRIES);
        CHECK(h[i] == want, "thread %zu looked up %g, not %g", i, h[i], want);
    }
    free(h);
}
#endif

/* constant.cuh: a table in constant memory and in global memory. */
#ifndef MEMORY_CONSTANT_CUH
#define MEMORY_CONSTANT_CUH

#include "memory/fill.cuh"

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

static struct tables tables_new(int blocks, int turns, uint64_t seed)
{
    struct tables t = {blocks, turns, 0, 0, small_floats(ENTRIES, seed), NULL};
    float h[ENTRIES];

    for (int i = 0; i < ENTRIES; i++)
        h[i] = small_at(seed, (uint64_t)i);
    CUDA_CHECK(cudaMemcpyToSymbol(constant_table, h, sizeof h));
    CUDA_CHECK(cudaMalloc((void **)&t.d_y, blocks * 256 * sizeof(float)));
    return t;
}

static void tables_free(struct tables *t)
{
    CUDA_CHECK(cudaFree(t->d_table));
    CUDA_CHECK(cudaFree(t->d_y));
}

/* look up */
static void look_up(void *work, int set)
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
static void check_look_up(struct tables *t, uint64_t seed)
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

/* vecadd.cuh: z = x + y for vectors of n floats on the device, four ways. */
#ifndef KERNELS_VECADD_CUH
#define KERNELS_VECADD_CUH

#include <limits.h>

#include "kernels/launch.h"

/* add with one thread */
__global__ void add_one_thread(size_t n, const float *x, const float *y,
                               float *z)
{
    for (size_t i = 0; i < n; i++) {
        /* add element i */
        z[i] = x[i] + y[i];
    }
}

/* add with one block */
__global__ void add_one_block(size_t n, const float *x, const float *y,
                              float *z)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        /* add element i */
        z[i] = x[i] + y[i];
    }
}

/* add with a grid */
__global__ void add_grid(int n, const float *x, const float *y, float *z)
{
    /* find my element in 32 bits */
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        /* add element i */
        z[i] = x[i] + y[i];
    }
}

/* add with a grid and a stride */
__global__ void add_stride(size_t n, const float *x, const float *y, float *z)
{
    /* find my first element and the step */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (; i < n; i += step) {
        /* add element i */
        z[i] = x[i] + y[i];
    }
}

/* launch with one thread or one block */
static void launch_one_thread(size_t n, int block, const float *x,
                              const float *y, float *z)
{
    (void)block; /* always 1 */
    add_one_thread<<<1, 1>>>(n, x, y, z);
    CUDA_LAUNCH_CHECK();
}

static void launch_one_block(size_t n, int block, const float *x,
                             const float *y, float *z)
{
    add_one_block<<<1, block>>>(n, x, y, z);
    CUDA_LAUNCH_CHECK();
}

/* launch with a grid */
static void launch_grid(size_t n, int block, const float *x, const float *y,
                        float *z)
{
    int blocks = blocks_for(n, block);

    CHECK(n <= (size_t)(INT_MAX - block),
          "add_grid counts in int: %zu elements are too many", n);
    if (blocks > 0) {
        add_grid<<<blocks, block>>>((int)n, x, y, z);
        CUDA_LAUNCH_CHECK();
    }
}

/* launch with a grid and a stride */
enum { STRIDE_BLOCKS = 4 * 132 * 8 }; /* 8 of 256 threads fill an SM */

static void launch_stride(size_t n, int block, const float *x, const float *y,
                          float *z)
{
    size_t blocks = ceil_div(n, (size_t)block);

    if (blocks > STRIDE_BLOCKS)
        blocks = STRIDE_BLOCKS;
    if (blocks > 0) {
        add_stride<<<(unsigned)blocks, block>>>(n, x, y, z);
        CUDA_LAUNCH_CHECK();
    }
}

/* list the variants */
/* Launches z = x + y: n floats on the device, `block` threads in a block. */
typedef void (*add_launcher)(size_t n, int block, const float *x,
                             const float *y, float *z);

struct add_variant {
    const char *name;
    add_launcher launch;
};

static const struct add_variant add_variants[] = {
    {"one_thread", launch_one_thread},
    {"one_block", launch_one_block},
    {"grid", launch_grid},
    {"stride", launch_stride},
};

enum { ADD_VARIANTS = sizeof add_variants / sizeof *add_variants };

#endif

/* shift.cuh: shift an array left by one, right and wrong. */
#ifndef SYNC_SHIFT_CUH
#define SYNC_SHIFT_CUH

#include <cooperative_groups.h>

#include "sync/fits.cuh"
#include "tour/rng.h"

namespace cg = cooperative_groups;

/* shift without waiting */
/* a[i] = a[i + 1] for i < n - 1, in place. Wrong: nobody waits. */
__global__ void shift_racy(int n, float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n - 1)
        a[i] = a[i + 1];
}

/* shift with one block */
/* The same with one block: a barrier between loads and stores. */
__global__ void shift_block(int n, float *a)
{
    for (int base = 0; base < n - 1; base += blockDim.x) {
        int i = base + threadIdx.x;
        float next = i < n - 1 ? a[i + 1] : 0.0f;

        __syncthreads();
        if (i < n - 1)
            a[i] = next;
    }
}

/* shift with a barrier that is too small */
/* With many blocks. Wrong: the barrier does not reach the seams. */
__global__ void shift_seams(int n, float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float next = i < n - 1 ? a[i + 1] : 0.0f;

    __syncthreads();
    if (i < n - 1)
        a[i] = next;
}

/* shift with two kernels */
/* b[i] = a[i + 1] for i < n - 1; b[n - 1] = a[n - 1]; b is not a. */
__global__ void shift_out(int n, const float *a, float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        b[i] = a[i < n - 1 ? i + 1 : i];
}

__global__ void copy_back(int n, const float *b, float *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        a[i] = b[i];
}

/* shift with a grid that fits */
/* The same with a cooperative grid, and a barrier of the grid. */
__global__ void shift_grid(int n, float *a)
{
    cg::grid_group grid = cg::this_grid();
    int step = gridDim.x * blockDim.x;

    for (int base = 0; base < n - 1; base += step) {
        int i = base + blockIdx.x * blockDim.x + threadIdx.x;
        float next = i < n - 1 ? a[i + 1] : 0.0f;

        grid.sync();
        if (i < n - 1)
            a[i] = next;
    }
}

/* shift on the CPU */
/* a[i] = a[i + 1] for i < n - 1, in the order of the loop; in place. */
static void shift_reference(int n, float *a)
{
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + 1];
}

/* launch a shift */
enum shift { RACY, SEAMS, BLOCK, KERNELS, GRID, SHIFTS };

static const char *const shift_names[] = {"racy", "seams", "block", "kernels",
                                          "grid"};

/* Shifts n >= 1 floats at d_a; d_b has room for n more. */
static void shift(enum shift how, int n, int block, float *d_a, float *d_b)
{
    unsigned blocks = (unsigned)blocks_for((size_t)n, block);
    unsigned fit;
    void *args[] = {&n, &d_a};

    /* launch one of the five */
    switch (how) {
    case RACY:
        shift_racy<<<blocks, block>>>(n, d_a);
        break;
    case SEAMS:
        shift_seams<<<blocks, block>>>(n, d_a);
        break;
    case BLOCK:
        shift_block<<<1, block>>>(n, d_a);
        break;
    case KERNELS:
        shift_out<<<blocks, block>>>(n, d_a, d_b);
        copy_back<<<blocks, block>>>(n, d_b, d_a);
        break;
    default:
        /* launch a grid that fits */
        fit = blocks_that_fit((const void *)shift_grid, block, 0, blocks);
        CUDA_CHECK(
            cudaLaunchCooperativeKernel(shift_grid, fit, block, args, 0, 0));
    }
    CUDA_LAUNCH_CHECK();
}

/* shift and count what differs */
static int try_shift(enum shift how, int n, int block, uint64_t seed)
{
    size_t bytes = (size_t)n * sizeof(float);
    float *h_got = (float *)check_alloc((size_t)n, sizeof *h_got);
    float *h_want = (float *)check_alloc((size_t)n, sizeof *h_want);
    float *d_a, *d_b;
    int differ = 0;

    rng_fill_float(h_want, (size_t)n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d_a, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_b, bytes));
    CUDA_CHECK(cudaMemcpy(d_a, h_want, bytes, cudaMemcpyHostToDevice));
    for (int time = 0; time < 3; time++) {
        shift(how, n, block, d_a, d_b);
        shift_reference(n, h_want);
    }
    CUDA_CHECK(cudaMemcpy(h_got, d_a, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        differ += h_got[i] != h_want[i];
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    free(h_got);
    free(h_want);
    return differ;
}

#endif

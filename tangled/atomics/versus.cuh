/* versus.cuh: one sum by atomics, by barriers and by shuffles. */
#ifndef ATOMICS_VERSUS_CUH
#define ATOMICS_VERSUS_CUH

#include "atomics/device.h"

/* add up a warp in one instruction */
static __device__ inline int warp_sum(int x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int step = 16; step > 0; step /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, step);
    return x;
#else
    return __reduce_add_sync(0xffffffffu, x);
#endif
}

/* combine in seven ways */

/* name the seven ways */
enum way { GLOBAL, COMPILER, SHARED, TREE, SHUFFLE, INSTRUCTION, BOTH, WAYS };

static const char *const way_names[] = {
    "sum_global",  "sum_compiler",    "sum_shared", "sum_tree",
    "sum_shuffle", "sum_instruction", "sum_both"};

enum { VERSUS_THREADS = 256 };

/* *total += x[0] + ... + x[n - 1]; blocks of VERSUS_THREADS, any grid; apart is
   0, which the compiler must not know. */
__global__ void sum(enum way way, int apart, int n, const int *x, int *total)
{
    __shared__ int cell[VERSUS_THREADS];
    int mine = 0, t = threadIdx.x;

    for (int i = blockIdx.x * blockDim.x + t; i < n;
         i += gridDim.x * blockDim.x)
        mine += x[i];
    /* combine what the threads have */
    if (way == GLOBAL)
        atomicAdd(total + apart * t, mine);
    if (way == COMPILER)
        atomicAdd(total, mine);
    if (way == SHARED || way == BOTH) {
        if (t == 0)
            cell[0] = 0;
        __syncthreads();
    }
    if (way == SHARED)
        atomicAdd(&cell[apart * t], mine);
    if (way == TREE) {
        cell[t] = mine;
        __syncthreads();
        for (int half = VERSUS_THREADS / 2; half > 0; half /= 2) {
            if (t < half)
                cell[t] += cell[t + half];
            __syncthreads();
        }
    }
    if (way == SHUFFLE || way == BOTH)
        for (int step = 16; step > 0; step /= 2)
            mine += __shfl_down_sync(0xffffffffu, mine, step);
    if (way == INSTRUCTION)
        mine = warp_sum(mine);
    if ((way == SHUFFLE || way == INSTRUCTION) && t % 32 == 0)
        atomicAdd(total, mine);
    if (way == BOTH && t % 32 == 0)
        atomicAdd(&cell[0], mine);
    if (way == SHARED || way == BOTH)
        __syncthreads();
    if ((way == SHARED || way == TREE || way == BOTH) && t == 0)
        atomicAdd(total, cell[0]);
}

/* run one of the seven */
/* x[n] = x[0] + ... + x[n - 1], queued. */
static inline void sum_run(enum way way, unsigned blocks, int n, int *x)
{
    CUDA_CHECK(cudaMemsetAsync(x + n, 0, sizeof *x, 0));
    sum<<<blocks, VERSUS_THREADS>>>(way, 0, n, x, x + n);
}

#endif

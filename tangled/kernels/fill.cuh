/* fill.cuh: random floats, and random integers from -4 to 4, made where they
   are needed. */
#ifndef KERNELS_FILL_CUH
#define KERNELS_FILL_CUH

#include "kernels/launch.h"
#include "tour/rng.h"

/* Element i of the integers that belong to a seed; sums of up to 2^22 of them
   are exact in a float. */
static __host__ __device__ inline float small_at(uint64_t seed, uint64_t i)
{
    return (float)(((rng_at(seed, i) >> 32) * 9) >> 32) - 4;
}

__global__ void fill(size_t n, float *x, uint64_t seed, int small)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] = small ? small_at(seed, i) : rng_to_float(rng_at(seed, i));
}

/* x[0..n) := the small integers of a seed; random_fill: floats in [0, 1). */
static inline void small_fill(size_t n, float *x, uint64_t seed)
{
    fill<<<1056, 256>>>(n, x, seed, 1);
    CUDA_LAUNCH_CHECK();
}

static inline void random_fill(size_t n, float *x, uint64_t seed)
{
    fill<<<1056, 256>>>(n, x, seed, 0);
    CUDA_LAUNCH_CHECK();
}

/* The same in a new array of n floats, to be freed with cudaFree; four floats
   behind it belong to it, for starts that are not aligned. */
static inline float *small_floats(size_t n, uint64_t seed)
{
    float *x;

    CUDA_CHECK(cudaMalloc((void **)&x, (n + 4) * sizeof *x));
    small_fill(n, x, seed);
    return x;
}

static inline float *random_floats(size_t n, uint64_t seed)
{
    float *x;

    CUDA_CHECK(cudaMalloc((void **)&x, (n + 4) * sizeof *x));
    random_fill(n, x, seed);
    return x;
}

#endif

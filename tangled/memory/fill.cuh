/* fill.cuh: random whole numbers from -4 to 4, made where they are needed. */
#ifndef MEMORY_FILL_CUH
#define MEMORY_FILL_CUH

#include "kernels/launch.h"
#include "tour/rng.h"

/* make small numbers on the device */
/* Element i of the array that belongs to a seed. */
static __host__ __device__ inline float small_at(uint64_t seed, uint64_t i)
{
    return (float)(((rng_at(seed, i) >> 32) * 9) >> 32) - 4;
}

__global__ void fill_small(size_t n, float *x, uint64_t seed)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] = small_at(seed, i);
}

/* n floats on the device, to be freed with cudaFree. */
static float *small_floats(size_t n, uint64_t seed)
{
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, (n + 4) * sizeof *d));
    fill_small<<<1056, 256>>>(n, d, seed);
    CUDA_LAUNCH_CHECK();
    return d;
}
#endif

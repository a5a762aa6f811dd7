/* sums.cuh: how many different results does a float sum by atomics have? */
#ifndef ATOMICS_SUMS_CUH
#define ATOMICS_SUMS_CUH

#include <math.h>

#include "kernels/launch.h"
#include "tour/rng.h"

/* add floats and fixed point */
enum { FRACTION = 40 }; /* bits behind the point */

/* sum[0] as float, and sum[1] in units of 2^-40. All |x| < 1, n < 2^23. */
__global__ void add_floats(int n, const float *x, float *sum,
                           unsigned long long *fixed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomicAdd(sum, x[i]);
    atomicAdd(fixed, (unsigned long long)llrint(ldexp((double)x[i], FRACTION)));
}

/* add again and again */
struct sums {
    int different, fixed_different; /* how many different results */
    double want, fixed;             /* the sum in double, the fixed-point one */
    float least, most;              /* of the float sums */
};

/* Is element k of a list unlike all before it? */
static int is_new(const void *list, int k, size_t size)
{
    const char *all = (const char *)list;

    for (int j = 0; j < k; j++)
        if (memcmp(all + j * size, all + k * size, size) == 0)
            return 0;
    return 1;
}
/* Adds the same n floats in (-1, 1) `runs` times. */
static struct sums add_again(int n, int runs, uint64_t seed)
{
    struct sums s = {0, 0, 0, 0, 0, 0};
    float *h = (float *)check_alloc((size_t)n + runs, sizeof *h), *d;
    float *sum = h + n;
    unsigned long long *fixed, *d_fixed;

    fixed = (unsigned long long *)check_alloc((size_t)runs, sizeof *fixed);
    for (int i = 0; i < n; i++)
        s.want += h[i] = 2 * rng_to_float(rng_at(seed, (uint64_t)i)) - 1;
    CUDA_CHECK(cudaMalloc((void **)&d, ((size_t)n + 1) * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&d_fixed, sizeof *d_fixed));
    CUDA_CHECK(cudaMemcpy(d, h, (size_t)n * sizeof *d, cudaMemcpyHostToDevice));
    for (int k = 0; k < runs; k++) {
        /* add once and keep the sums */
        CUDA_CHECK(cudaMemset(d + n, 0, sizeof *d));
        CUDA_CHECK(cudaMemset(d_fixed, 0, sizeof *d_fixed));
        add_floats<<<blocks_for((size_t)n, 256), 256>>>(n, d, d + n, d_fixed);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(cudaMemcpy(&sum[k], d + n, sizeof *d, cudaMemcpyDeviceToHost));
        CUDA_CHECK(
            cudaMemcpy(&fixed[k], d_fixed, sizeof *d_fixed, cudaMemcpyDeviceToHost));
        s.different += is_new(sum, k, sizeof *sum);
        s.fixed_different += is_new(fixed, k, sizeof *fixed);
        s.least = k == 0 || sum[k] < s.least ? sum[k] : s.least;
        s.most = k == 0 || sum[k] > s.most ? sum[k] : s.most;
    }
    s.fixed = ldexp((double)(long long)fixed[0], -FRACTION);
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_fixed));
    free(h);
    free(fixed);
    return s;
}

#endif

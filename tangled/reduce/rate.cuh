/* rate.cuh: how many multiply-adds of a type an SM does in a cycle. */
#ifndef REDUCE_RATE_CUH
#define REDUCE_RATE_CUH

#include "kernels/launch.h"

/* run chains of one type */
enum { CHAINS = 8, LINKS = 256 };

/* out[i] = the sum of CHAINS chains of `links` steps v -> v a + b. */
template <class T>
__global__ void rate(int links, T a, T b, T *out, long long *took)
{
    T v[CHAINS];
    long long start = clock64();

    for (int c = 0; c < CHAINS; c++)
        v[c] = (T)(threadIdx.x % 7 + c);
#pragma unroll 4
    for (int i = 0; i < links; i++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            v[c] = v[c] * a + b;
    }
    for (int c = 1; c < CHAINS; c++)
        v[0] += v[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = v[0];
    if (threadIdx.x == 0)
        took[blockIdx.x] = clock64() - start;
}

/* measure one type */
/* Multiply-adds that an SM does in a cycle, with `blocks` blocks of 1024. */
template <class T>
static double rate_of(int blocks, int links)
{
    size_t n = (size_t)blocks * 1024;
    T *h = (T *)check_alloc(n, sizeof *h), *d;
    long long *d_took, *took = (long long *)check_alloc((size_t)blocks, 8);
    double longest = 0;

    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&d_took, (size_t)blocks * 8));
    for (int again = 0; again < 2; again++)
        rate<T><<<blocks, 1024>>>(links, (T)1, (T)1, d, d_took);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, n * sizeof *d, cudaMemcpyDeviceToHost));
    CUDA_CHECK(
        cudaMemcpy(took, d_took, (size_t)blocks * 8, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[i] == (T)(CHAINS * (i % 1024 % 7 + links) + 28), "thread %zu",
              i);
    for (int b = 0; b < blocks; b++)
        longest = fmax(longest, (double)took[b]);
    /* free what was measured */
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_took));
    free(h);
    free(took);
    return 2.0 * 1024 * CHAINS * links / longest;
}

#endif

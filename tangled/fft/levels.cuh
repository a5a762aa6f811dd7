/* levels.cuh: a transform level by level through device memory. */
#ifndef FFT_LEVELS_CUH
#define FFT_LEVELS_CUH

#include "dft/dft.h"
#include "fft/butterfly.cuh"
#include "kernels/launch.h"
#include "tour/check.h"

/* make a level in memory */
/* y := the level of radix R after transforms of ns points, of rows of n
   numbers, count in all; roots: the n-th. */
template <int R>
__global__ void fft_level(size_t count, int n, int ns, const float2 *roots,
                          const float2 *x, float2 *y)
{
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int m = n / R, j = t % m, k = j % ns;
    float2 v[R];

    if (t >= count / R)
        return;
    x += t / m * n + j;
    y += t / m * n + (j - k) * R + k;
#pragma unroll
    for (int q = 0; q < R; q++)
        v[q] = mul(x[q * m], roots[k * q * (m / ns)]);
    butterfly<R>(v);
#pragma unroll
    for (int q = 0; q < R; q++)
        y[q * ns] = v[q];
}

/* make all levels */
/* y := the transforms of the rows of x; n is a power of radix, which is 2, 4,
   8 or 16. Overwrites x if there is more than one level. */
static inline void fft_levels(int radix, size_t count, int n,
                              const float2 *roots, float2 *x, float2 *y,
                              cudaStream_t stream)
{
    unsigned blocks = (unsigned)blocks_for(count / radix, 256);
    float2 *from = x, *to = y, *other;

    CHECK(radix == 2 || radix == 4 || radix == 8 || radix == 16,
          "levels: radix %d is not 2, 4, 8 or 16", radix);
    CHECK(x && y && (x + count <= y || y + count <= x),
          "levels: an array is NULL, or the two overlap");
    for (int ns = 1; ns < n && blocks > 0; ns *= radix) {
        auto level = radix == 2   ? fft_level<2>
                     : radix == 4 ? fft_level<4>
                     : radix == 8 ? fft_level<8>
                                  : fft_level<16>;

        CHECK((int64_t)ns * radix <= n, "levels: %d is no power of %d", n,
              radix);
        level<<<blocks, 256, 0, stream>>>(count, n, ns, roots, from, to);
        CUDA_LAUNCH_CHECK();
        other = from, from = to, to = other;
    }
    if (from != y)
        CUDA_CHECK(cudaMemcpyAsync(y, from, count * sizeof *y,
                                   cudaMemcpyDeviceToDevice, stream));
}

/* upload roots */
/* The n roots e^(-2 pi i r / n) on the device; cudaFree() them. */
static inline float2 *fft_roots(int n)
{
    float2 *h = (float2 *)check_alloc((size_t)n, sizeof *h), *d;

    for (int r = 0; r < n; r++) {
        struct cplx w = dft_root(-r, n);

        h[r] = {(float)w.re, (float)w.im};
    }
    CUDA_CHECK(cudaMalloc((void **)&d, n * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
    free(h);
    return d;
}

#endif

/* pieces: a piece for each thread, or every so-many-th element */
#include <stdio.h>

#include "kernels/launch.h"

__global__ void by_stride(size_t n, float *z)
{
    /* find my first element and the step */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (; i < n; i += step)
        z[i] = (float)i;
}

/* give each thread a piece */
__global__ void by_piece(size_t n, float *z)
{
    size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t piece = n / threads + (n % threads != 0);

    for (size_t i = me * piece; i < (me + 1) * piece && i < n; i++)
        z[i] = (float)i;
}

enum { N = 8191 };

static void check(const char *how, float *d)
{
    static float h[N];

    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(d, 0xff, sizeof h));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == (float)i, "%s: z[%d] is %g", how, i, h[i]);
}

/* run both kernels */
int main(void)
{
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, N * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, N * sizeof *d));
    by_stride<<<4, 64>>>(N, d);
    check("stride", d);
    by_piece<<<4, 64>>>(N, d);
    check("piece", d);
    CUDA_CHECK(cudaFree(d));
    printf("ok: %d elements by stride and by piece\n", N);
    return 0;
}

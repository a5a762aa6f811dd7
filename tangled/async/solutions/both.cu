/* both: managed memory to the device and back, by prefetching. */
#include "async/prefetch.cuh"
#include "kernels/launch.h"

enum { N = 100000 };

/* add its index to each number */
__global__ void count_up(int n, unsigned *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] += (unsigned)i;
}

int main(void)
{
    unsigned *x;
    int device;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaMallocManaged((void **)&x, N * sizeof *x));
    for (int i = 0; i < N; i++)
        x[i] = 7;
    CUDA_CHECK(prefetch(x, N * sizeof *x, device, 0));
    count_up<<<blocks_for(N, 256), 256>>>(N, x);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(prefetch(x, N * sizeof *x, cudaCpuDeviceId, 0));
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++)
        CHECK(x[i] == 7u + (unsigned)i, "x[%d] is %u", i, x[i]);
    CUDA_CHECK(cudaFree(x));
    printf("ok: %d words there and back\n", N);
    return 0;
}

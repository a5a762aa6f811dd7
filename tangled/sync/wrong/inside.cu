/* wrong: nvcc: calling a __host__ function\("cudaDeviceSynchronize"\) from a __global__ function */
#include <cuda_runtime.h>

__global__ void wait_inside(int *a)
{
    a[threadIdx.x] = 1;
    cudaDeviceSynchronize(); /* a wait for the host, on the device? */
    a[threadIdx.x + 1] = 2;
}

int main(void)
{
    wait_inside<<<1, 32>>>(NULL);
    return 0;
}

/* wrong: compile: __shfl_down.? (was not declared|.*undeclared) */
/* wrong: nvcc: __shfl_down.*(undefined|deprecated|is not) */
#include <cuda_runtime.h>

__global__ void pairs(float *x)
{
    x[threadIdx.x] += __shfl_down(x[threadIdx.x], 16);
}

int main(void)
{
    pairs<<<1, 32>>>(NULL);
    return 0;
}

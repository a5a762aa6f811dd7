/* wrong: nvcc: must have a void return type */
#include <cuda_runtime.h>

__global__ int answer(void) /* to whom would the 42 go? */
{
    return 42;
}

int main(void)
{
    answer<<<1, 1>>>();
    return 0;
}

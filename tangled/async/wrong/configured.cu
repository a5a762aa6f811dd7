/* wrong: nvcc: a __device__ function call cannot be configured */
__device__ void helper(int *x)
{
    *x = 1;
}

__global__ void parent(int *x)
{
    helper<<<1, 1>>>(x);
}

int main(void)
{
    parent<<<1, 1>>>(0);
}

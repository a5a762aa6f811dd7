/* wrong: compile: (double ?\*.* to .?float ?\*|no known conversion) */
/* wrong: nvcc: argument of type "double \*" is incompatible */
__global__ void scale(int n, float *y)
{
    y[threadIdx.x] *= n;
}

int main(void)
{
    double *y;

    cudaMalloc(&y, 32 * sizeof *y);
    scale<<<1, 32>>>(3, y);
}

/* fmax.cu: an atomic maximum of floats, made of compare-and-swap. */
#include <stdio.h>

__device__ void atomic_max(float *p, float v)
{
    int *bits = (int *)p, old = __float_as_int(*(volatile float *)p);

    while (__int_as_float(old) < v) {
        int found = atomicCAS(bits, old, __float_as_int(v));

        if (found == old)
            return;
        old = found;
    }
}

__global__ void largest(int n, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomic_max(out, -fabsf((float)(i - 77777)));
}

/* find the largest of many */
int main(void)
{
    int n = 100000;
    float *out, result = -1e30f;

    if (cudaMalloc(&out, sizeof *out) != cudaSuccess)
        return 1;
    cudaMemcpy(out, &result, sizeof *out, cudaMemcpyHostToDevice);
    largest<<<(n + 255) / 256, 256>>>(n, out);
    if (cudaMemcpy(&result, out, sizeof *out, cudaMemcpyDeviceToHost) !=
        cudaSuccess)
        return 1;
    printf("largest %g\n", result);
    return result != 0;
}

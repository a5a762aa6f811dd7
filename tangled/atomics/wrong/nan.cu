/* wrong: run: the kernel does not end: .*this thread spins */
#include "kernels/launch.h"

/* *p += v, in a loop that compares floats. */
__global__ void add_badly(float *p, float v)
{
    float old = *p, seen;

    do {
        seen = old;
        old = __uint_as_float(atomicCAS((unsigned *)p, __float_as_uint(seen),
                                        __float_as_uint(seen + v)));
    } while (old != seen);
}

int main(void)
{
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0xff, sizeof *d)); /* all ones is a NaN */
    add_badly<<<1, 1>>>(d, 1.0f);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

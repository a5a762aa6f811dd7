/* wrong: run: the kernel does not end: .*this thread spins */
#include <math.h>

#include "atomics/device.h"

/* add in a loop that compares floats */
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
    float h = NAN;

    add_badly<<<1, 1>>>((float *)to_device(&h, sizeof h), 1.0f);
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

/* wrong: run: the sum is -0, not 1 */
/* wrong: gpu: the sum is -0, not 1 */
#include "atomics/device.h"

/* *p += v; begins with a guess, to save the load, and compares floats. */
__global__ void add_to_guess(float *p, float v)
{
    float old = 0.0f, seen;

    do {
        seen = old;
        old = __uint_as_float(atomicCAS((unsigned *)p, __float_as_uint(seen),
                                        __float_as_uint(seen + v)));
    } while (old != seen);
}

int main(void)
{
    float h = -0.0f, *d = (float *)to_device(&h, sizeof h);

    add_to_guess<<<1, 1>>>(d, 1.0f);
    to_host(&h, d, sizeof h);
    CHECK(h == 1, "the sum is %g, not 1", h);
    return 0;
}

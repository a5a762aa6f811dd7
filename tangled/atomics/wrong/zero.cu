/* wrong: run: the sum is -0, not 1 */
/* wrong: gpu: the sum is -0, not 1 */
#include "kernels/launch.h"

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
    float h = -0.0f, *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
    add_to_guess<<<1, 1>>>(d, 1.0f);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    CHECK(h == 1, "the sum is %g, not 1", h);
    return 0;
}

/* fma: d = a b + c takes three operands and rounds once. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* multiply and add, fused and in two steps */
__global__ void fuse(float a, float b, float c, float *d)
{
    d[0] = fmaf(a, b, c);
    d[1] = __fadd_rn(__fmul_rn(a, b), c);
}

int main(int argc, char **argv)
{
    float a = 1 + ldexpf(1, -12), c = -1 - ldexpf(1, -11), d[2], *d_d;

    args_parse(argc, argv, "one rounding or two", NULL, 0);
    CUDA_CHECK(cudaMalloc((void **)&d_d, sizeof d));
    fuse<<<1, 1>>>(a, a, c, d_d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost));
    CHECK(d[0] == ldexpf(1, -24), "fused: %g, not 2^-24", d[0]);
    CHECK(d[1] == 0, "in two steps: %g, not 0", d[1]);
    CUDA_CHECK(cudaFree(d_d));
    printf("ok: fused, 2^-24 is left; in two steps, nothing\n");
    return 0;
}

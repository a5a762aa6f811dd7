/* pi: points in a quarter of a circle, counted exactly. */
#include <math.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "random/philox.h"
#include "tour/args.h"

__global__ void points(uint64_t n, uint64_t seed, unsigned long long *inside)
{
    uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    unsigned long long count = 0;

    for (; i < n; i += step) {
        struct philox b = philox_at(seed, 0, i);
        uint64_t x = 2 * (b.w[0] >> 8) + 1, y = 2 * (b.w[1] >> 8) + 1;

        count += x * x + y * y < UINT64_C(1) << 50;
    }
    atomicAdd(inside, count);
}

/* estimate and say how far off */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("points", 1000000, 1, INT64_C(1) << 40)};
    uint64_t seed = args_parse(argc, argv, "pi by throwing points", args, 1);
    unsigned long long *d, inside;
    double n = (double)args[0].value, p, error;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, sizeof *d));
    points<<<264, 256>>>((uint64_t)args[0].value, seed, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&inside, d, sizeof inside, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    p = (double)inside / n;
    error = 4 * sqrt(p * (1 - p) / n);
    printf("%llu of %.0f inside: pi = %.5f +- %.5f\n", inside, n, 4 * p, error);
    CHECK(n < 100 || fabs(4 * p - M_PI) < 5 * error, "off by %.1f errors",
          fabs(4 * p - M_PI) / error);
    return 0;
}

/* float_max: the maximum of floats by integer atomics, for all pairs. */
#include <math.h>
#include <stdio.h>

#include "atomics/device.h"
#include "tour/args.h"

/* take the maximum by integers */
/* *p = max(*p, v); v is no NaN, and -0 is below +0. */
static __device__ inline void max_by_integers(float *p, float v)
{
    if (signbit(v))
        atomicMin((unsigned *)p, __float_as_uint(v));
    else
        atomicMax((int *)p, __float_as_int(v));
}

/* take the maximum of a pair */
__global__ void pair(float a, float b, float *p)
{
    *p = a;
    max_by_integers(p, b);
}

int main(int argc, char **argv)
{
    enum { N = 7 };
    const float v[N] = {-INFINITY, -5, -1e-42f, -0.0f, 0.0f, 2, INFINITY};
    float *d = (float *)to_device(NULL, sizeof *d), got;

    args_parse(argc, argv, "maximum of floats by integers", NULL, 0);
    for (int k = 0; k < N * N; k++) {
        int a = k / N, b = k % N;

        pair<<<1, 1>>>(v[a], v[b], d);
        to_host(&got, d, sizeof got);
        CHECK(memcmp(&got, &v[a > b ? a : b], sizeof got) == 0,
              "the maximum of %g and %g is %g", v[a], v[b], got);
    }
    printf("ok: %d pairs\n", N * N);
    return 0;
}

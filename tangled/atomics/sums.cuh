/* sums.cuh: how many different results does a float sum by atomics have? */
#ifndef ATOMICS_SUMS_CUH
#define ATOMICS_SUMS_CUH

#include <math.h>

#include "atomics/device.h"
#include "tour/rng.h"

/* add floats and fixed point */
enum { FRACTION = 40 }; /* bits behind the point */

struct both {
    float sum;
    unsigned long long fixed; /* in units of 2^-40 */
};

/* *r += x[0] + ... + x[n - 1], both ways. All |x| < 1, n < 2^23. */
__global__ void add_floats(int n, const float *x, struct both *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomicAdd(&r->sum, x[i]);
    atomicAdd(&r->fixed,
              (unsigned long long)llrint(ldexp((double)x[i], FRACTION)));
}

/* add again and again */
/* How many different results of `runs` sums; *spread: of the floats. */
struct sums {
    int floats, fixed;
    double spread;
};

/* Adds the same n floats in (-1, 1) `runs` times. */
static struct sums add_again(int n, int runs, uint64_t seed)
{
    struct sums s = {0, 0, 0};
    float *h = (float *)check_alloc((size_t)n, sizeof *h), *d;
    struct both *all = (struct both *)check_alloc((size_t)runs, sizeof *all);
    double want = 0, least = INFINITY, most = -INFINITY;

    for (int i = 0; i < n; i++)
        want += h[i] = 2 * rng_to_float(rng_at(seed, (uint64_t)i)) - 1;
    d = (float *)to_device(h, (size_t)n * sizeof *d);
    for (int k = 0; k < runs; k++) {
        /* add once and compare with all before */
        struct both *d_sum = (struct both *)to_device(NULL, sizeof *d_sum);
        int f = 1, x = 1;

        add_floats<<<blocks_for((size_t)n, 256), 256>>>(n, d, d_sum);
        to_host(&all[k], d_sum, sizeof *d_sum);
        CUDA_CHECK(cudaFree(d_sum));
        CHECK(ldexp((double)(long long)all[k].fixed, -FRACTION) == want,
              "the sum in fixed point is not %g", want);
        for (int j = 0; j < k; j++) {
            f &= all[j].sum != all[k].sum;
            x &= all[j].fixed != all[k].fixed;
        }
        s.floats += f;
        s.fixed += x;
        least = fmin(least, all[k].sum);
        most = fmax(most, all[k].sum);
    }
    s.spread = most - least;
    CUDA_CHECK(cudaFree(d));
    free(h);
    free(all);
    return s;
}

#endif

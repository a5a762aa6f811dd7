/* cas.cuh: operations that CUDA lacks, by loops of compare and swap. */
#ifndef ATOMICS_CAS_CUH
#define ATOMICS_CAS_CUH

#include <math.h>

#include "sync/order.cuh"

/* take the maximum of a float */
/* *p = max(*p, v) in one step; returns what *p was. A v that is NaN is ignored;
   a NaN at *p is replaced. Between -0 and +0 the first comer stays. */
static __device__ inline float atomic_max(float *p, float v)
{
    unsigned *bits = (unsigned *)p, old = load_relaxed(bits), seen;

    do {
        seen = old;
        if (!(v > __uint_as_float(seen) || isnan(__uint_as_float(seen))) ||
            isnan(v))
            break;
        old = atomicCAS(bits, seen, __float_as_uint(v));
    } while (old != seen);
    return __uint_as_float(old);
}

/* add a double by hand */
/* *p += v in one step; returns what *p was. */
static __device__ inline double add_by_swaps(double *p, double v)
{
    unsigned long long *bits = (unsigned long long *)p, seen;
    unsigned long long old = atomicAdd(bits, 0ull);

    do {
        seen = old;
        old = atomicCAS(bits, seen,
                        __double_as_longlong(v + __longlong_as_double(seen)));
    } while (old != seen);
    return __longlong_as_double(old);
}

#endif

/* vectors.cuh: the same kernel for a float at a time and for four. */
#ifndef LAYERS_VECTORS_CUH
#define LAYERS_VECTORS_CUH

#include "kernels/launch.h"

/* take a word apart */
/* V is float or float4: how many floats it has, and its k-th. */
template <class V>
struct floats_in {
    enum { COUNT = sizeof(V) / sizeof(float) };
};

template <class V>
static __device__ inline float &float_at(V &v, int k)
{
    return ((float *)&v)[k];
}

/* May n floats at each of these places be taken four at a time? */
static inline int by_four(size_t n, const void *a, const void *b, const void *c)
{
    size_t all = (size_t)a | (size_t)b | (size_t)c;

    return n % 4 == 0 && all % sizeof(float4) == 0;
}

#endif

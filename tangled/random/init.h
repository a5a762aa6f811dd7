/* init.h: initial weights and the order of the samples, the same on the host,
   on Loom and on a GPU. C11, C++17 and CUDA. Give every tensor a stream
   of its own. */
#ifndef RANDOM_INIT_H
#define RANDOM_INIT_H

#include <math.h>
#include <stddef.h>

#include "random/draw.h"
#include "random/shuffle.h"

/* draw one weight */
/* Weight i of a tensor: uniform in (-bound, bound). */
RANDOM_FN float init_uniform_at(uint64_t seed, uint64_t stream, uint64_t i,
                                float bound)
{
    return bound * draw_signed(philox_word(seed, stream, i));
}

/* draw one normal weight */
/* Number i of a tensor: normal, with mean 0. */
RANDOM_FN float init_normal_at(uint64_t seed, uint64_t stream, uint64_t i,
                               float deviation)
{
    struct philox b = philox_at(seed, stream, i >> 2);
    struct draw_pair p =
        i & 2 ? draw_normals(b.w[2], b.w[3]) : draw_normals(b.w[0], b.w[1]);

    return deviation * (i & 1 ? p.y : p.x);
}

/* scale by the fan-in */
/* The bound of uniform weights that have variance 2 / fan_in. fan_in, at least
   1, is the number of terms in a sum: c r s for filters [k][c][r][s], in for a
   linear layer [out][in]. He, Zhang, Ren and Sun, "Delving deep into
   rectifiers", 2015. */
RANDOM_FN float init_kaiming_bound(int fan_in)
{
    return (float)sqrt(6.0 / fan_in);
}

/* fill a tensor */
static inline void init_uniform(float *w, size_t n, float bound, uint64_t seed,
                                uint64_t stream)
{
    for (size_t i = 0; i < n; i++)
        w[i] = init_uniform_at(seed, stream, i, bound);
}

static inline void init_normal(float *w, size_t n, float deviation,
                               uint64_t seed, uint64_t stream)
{
    for (size_t i = 0; i < n; i++)
        w[i] = init_normal_at(seed, stream, i, deviation);
}

#endif

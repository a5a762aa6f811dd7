/* lanes.h: several numbers side by side, as one value. For gcc and clang. */
#ifndef MNIST_LANES_H
#define MNIST_LANES_H

#include "matmul/real.h"

/* make several numbers one value */
typedef real lanes
    __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));

enum { LANES = 32 / sizeof(real) };

/* n, rounded up to whole vectors */
static inline int lanes_up(int n)
{
    return (n + LANES - 1) / LANES * LANES;
}

/* compile for more than one CPU */
#if defined __x86_64__ && defined __gnu_linux__
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

#endif

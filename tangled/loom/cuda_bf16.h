/* cuda_bf16.h: __nv_bfloat16, the upper half of a float. */
#ifndef LOOM_CUDA_BF16_H
#define LOOM_CUDA_BF16_H

#include "loom/half_types.h"

/* convert bfloats */
static inline float loom_from_bfloat(unsigned short b)
{
    return __uint_as_float((unsigned int)b << 16);
}

static inline unsigned short loom_to_bfloat(float f)
{
    unsigned int x = __float_as_uint(f);

    if ((x & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((x + 0x7fff + (x >> 16 & 1)) >> 16);
}
LOOM_HALF(__nv_bfloat16, __nv_bfloat162, bfloat16, loom_from_bfloat,
          loom_to_bfloat)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

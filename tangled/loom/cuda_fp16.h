/* cuda_fp16.h: __half, 16 bits with an exponent of 5. */
#ifndef LOOM_CUDA_FP16_H
#define LOOM_CUDA_FP16_H

#include "loom/half_types.h"

/* convert halves */
static inline float loom_from_half(unsigned short h)
{
    unsigned int rest = h & 0x7fffu, bits = rest << 13;
    float f;

    if (rest < 0x0400)
        f = (float)rest * 0x1p-24f;
    else
        f = __uint_as_float(bits + (rest < 0x7c00 ? 112u << 23 : 224u << 23));
    return h & 0x8000 ? -f : f;
}
static inline unsigned short loom_to_half(float f)
{
    unsigned int x = __float_as_uint(f), sign = x >> 16 & 0x8000;

    x &= 0x7fffffff;
    if (x > 0x7f800000)
        return 0x7fff; /* not a number */
    if (x >= 0x477ff000)
        return (unsigned short)(sign | 0x7c00); /* from 65520 on: infinite */
    if (x < 0x38800000)
        x = __float_as_uint(__uint_as_float(x) + 0.5f) - 0x3f000000;
    else
        x = (x - (112u << 23) + 0xfff + (x >> 13 & 1)) >> 13;
    return (unsigned short)(sign | x);
}
LOOM_HALF(__half, __half2, half, loom_from_half, loom_to_half)
typedef __half half;
typedef __half2 half2;
#endif

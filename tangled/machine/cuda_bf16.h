/* cuda_bf16.h: __nv_bfloat16, the upper half of a float. */
#ifndef MACHINE_CUDA_BF16_H
#define MACHINE_CUDA_BF16_H

#include "machine/half_types.h"

/* convert bfloats */
static inline float simt_from_bfloat(unsigned short b)
{
    return __uint_as_float((unsigned int)b << 16);
}

static inline unsigned short simt_to_bfloat(float f)
{
    unsigned int x = __float_as_uint(f);

    if ((x & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((x + 0x7fff + (x >> 16 & 1)) >> 16);
}

SIMT_HALF_TYPE(__nv_bfloat16, simt_from_bfloat, simt_to_bfloat)
SIMT_HALF_USES(__nv_bfloat16)
SIMT_HALF_ARITHMETIC(__nv_bfloat16)
SIMT_HALF_COMPARISONS(__nv_bfloat16)
SIMT_HALF_PAIR(__nv_bfloat16, __nv_bfloat162)
SIMT_HALF_ATOMICS(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

/* name the conversions of bfloats */
#define SIMT_B __nv_bfloat16
#define SIMT_B2 __nv_bfloat162
SIMT_FUNCTION(float, __bfloat162float, (SIMT_B h), h)
SIMT_FUNCTION(SIMT_B, __float2bfloat16, (float f), f)
SIMT_FUNCTION(SIMT_B, __float2bfloat16_rn, (float f), f)
SIMT_FUNCTION(SIMT_B, __double2bfloat16, (double d), d)
SIMT_FUNCTION(SIMT_B, __int2bfloat16_rn, (int i), i)
SIMT_FUNCTION(int, __bfloat162int_rn, (SIMT_B h), lrintf(h))
SIMT_FUNCTION(unsigned short, __bfloat16_as_ushort, (SIMT_B h), h.bits)
SIMT_FUNCTION(SIMT_B, __ushort_as_bfloat16, (unsigned short b),
              simt_bits_as(SIMT_B(), b))
SIMT_FUNCTION(SIMT_B, __low2bfloat16, (SIMT_B2 p), p.x)
SIMT_FUNCTION(SIMT_B, __high2bfloat16, (SIMT_B2 p), p.y)
SIMT_FUNCTION(float, __low2float, (SIMT_B2 p), p.x)
SIMT_FUNCTION(float, __high2float, (SIMT_B2 p), p.y)
SIMT_FUNCTION(SIMT_B2, __halves2bfloat162, (SIMT_B a, SIMT_B b), SIMT_B2(a, b))
SIMT_FUNCTION(SIMT_B2, __bfloat162bfloat162, (SIMT_B a), SIMT_B2(a, a))
SIMT_FUNCTION(SIMT_B2, __float2bfloat162_rn, (float a), SIMT_B2(a, a))
SIMT_FUNCTION(SIMT_B2, __floats2bfloat162_rn, (float a, float b), SIMT_B2(a, b))
SIMT_FUNCTION(float2, __bfloat1622float2, (SIMT_B2 p), make_float2(p.x, p.y))
#undef SIMT_B
#undef SIMT_B2
#endif

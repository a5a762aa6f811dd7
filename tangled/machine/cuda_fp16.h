/* cuda_fp16.h: __half, 16 bits with an exponent of 5. */
#ifndef MACHINE_CUDA_FP16_H
#define MACHINE_CUDA_FP16_H

#include "machine/half_types.h"

/* convert halves */
static inline float simt_from_half(unsigned short h)
{
    unsigned int rest = h & 0x7fffu, bits = rest << 13;
    float f;

    if (rest < 0x0400)
        f = (float)rest * 0x1p-24f;
    else
        f = __uint_as_float(bits + (rest < 0x7c00 ? 112u << 23 : 224u << 23));
    return h & 0x8000 ? -f : f;
}
static inline unsigned short simt_to_half(float f)
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

SIMT_HALF_TYPE(__half, simt_from_half, simt_to_half)
SIMT_HALF_USES(__half)
SIMT_HALF_ARITHMETIC(__half)
SIMT_HALF_COMPARISONS(__half)
SIMT_HALF_PAIR(__half, __half2)
SIMT_HALF_ATOMICS(__half, __half2)
typedef __half half;
typedef __half2 half2;

/* name the conversions of halves */
SIMT_FUNCTION(float, __half2float, (__half h), h)
SIMT_FUNCTION(__half, __float2half, (float f), f)
SIMT_FUNCTION(__half, __float2half_rn, (float f), f)
SIMT_FUNCTION(__half, __double2half, (double d), d)
SIMT_FUNCTION(__half, __int2half_rn, (int i), i)
SIMT_FUNCTION(__half, __uint2half_rn, (unsigned int i), i)
SIMT_FUNCTION(int, __half2int_rn, (__half h), lrintf(h))
SIMT_FUNCTION(int, __half2int_rz, (__half h), truncf(h))
SIMT_FUNCTION(unsigned short, __half_as_ushort, (__half h), h.bits)
SIMT_FUNCTION(short, __half_as_short, (__half h), h.bits)
SIMT_FUNCTION(__half, __ushort_as_half, (unsigned short b),
              simt_bits_as(__half(), b))
SIMT_FUNCTION(__half, __low2half, (__half2 p), p.x)
SIMT_FUNCTION(__half, __high2half, (__half2 p), p.y)
SIMT_FUNCTION(float, __low2float, (__half2 p), p.x)
SIMT_FUNCTION(float, __high2float, (__half2 p), p.y)
SIMT_FUNCTION(__half2, __halves2half2, (__half a, __half b), __half2(a, b))
SIMT_FUNCTION(__half2, make_half2, (__half a, __half b), __half2(a, b))
SIMT_FUNCTION(__half2, __half2half2, (__half a), __half2(a, a))
SIMT_FUNCTION(__half2, __float2half2_rn, (float a), __half2(a, a))
SIMT_FUNCTION(__half2, __floats2half2_rn, (float a, float b), __half2(a, b))
SIMT_FUNCTION(__half2, __float22half2_rn, (float2 v), __half2(v.x, v.y))
SIMT_FUNCTION(float2, __half22float2, (__half2 p), make_float2(p.x, p.y))
#endif

/* ulp.h: how many steps lie between two floating-point numbers. C11, C++17. */
#ifndef REDUCE_ULP_H
#define REDUCE_ULP_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* put the bits of a number in order */
/* From sign and magnitude in `bits` bits to a number that rises with it. */
static inline int64_t ulp_order(uint64_t word, int bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);

    return word & sign ? -(int64_t)(word & (sign - 1)) : (int64_t)word;
}

/* take the distance of two such numbers */
static inline uint64_t ulp_apart(uint64_t a, uint64_t b, int bits)
{
    int64_t i = ulp_order(a, bits), j = ulp_order(b, bits);

    return i < j ? (uint64_t)j - (uint64_t)i : (uint64_t)i - (uint64_t)j;
}

/* count the steps between two numbers */
/* Steps from a to b; UINT64_MAX when one of them is a NaN. */
static inline uint64_t ulp_float(float a, float b)
{
    uint32_t i, j;

    memcpy(&i, &a, sizeof i);
    memcpy(&j, &b, sizeof j);
    return isnan(a) || isnan(b) ? UINT64_MAX : ulp_apart(i, j, 32);
}

static inline uint64_t ulp_double(double a, double b)
{
    uint64_t i, j;

    memcpy(&i, &a, sizeof i);
    memcpy(&j, &b, sizeof j);
    return isnan(a) || isnan(b) ? UINT64_MAX : ulp_apart(i, j, 64);
}

#endif

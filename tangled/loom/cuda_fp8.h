/* cuda_fp8.h: __nv_fp8_e4m3 and __nv_fp8_e5m2, and two and four of them. */
#ifndef LOOM_CUDA_FP8_H
#define LOOM_CUDA_FP8_H

#include <stdint.h>

#include "loom/cuda_bf16.h"
#include "loom/cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* convert numbers of 8 bits */
static inline __nv_fp8_storage_t
__nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                       __nv_fp8_interpretation_t kind)
{
    int fraction = kind == __NV_E4M3 ? 3 : 2,
        least = kind == __NV_E4M3 ? -6 : -14;
    unsigned sign = std::signbit(x) ? 0x80 : 0, bits, steps;
    double most = kind == __NV_E4M3 ? 448 : 57344, size = fabs(x);
    int e = size > 0 && size < INFINITY ? ilogb(size) : least;

    if (x != x)
        return (__nv_fp8_storage_t)(sign | (kind == __NV_E4M3 ? 0x7f : 0x7e));
    if (e < least)
        e = least;
    if (size < INFINITY)
        size = ldexp(nearbyint(ldexp(size, fraction - e)), e - fraction);
    if (size > most && saturate == __NV_NOSAT)
        return (__nv_fp8_storage_t)(sign | (kind == __NV_E4M3 ? 0x7f : 0x7c));
    if (size > most)
        size = most;
    e = size > 0 && ilogb(size) > least ? ilogb(size) : least;
    steps = (unsigned)ldexp(size, fraction - e);
    bits = ((unsigned)(e - least) << fraction) + steps;
    return (__nv_fp8_storage_t)(sign | bits);
}

static inline float loom_from_fp8(unsigned bits, __nv_fp8_interpretation_t kind)
{
    int fraction = kind == __NV_E4M3 ? 3 : 2,
        least = kind == __NV_E4M3 ? -6 : -14;
    int e = (int)(bits >> fraction) & (kind == __NV_E4M3 ? 15 : 31);
    unsigned rest = bits & ((1u << fraction) - 1);
    float f = ldexpf((float)(e ? rest | 1u << fraction : rest),
                     least - fraction + (e ? e - 1 : 0));

    if ((bits & 0x7f) == 0x7f || (kind == __NV_E5M2 && e == 31 && rest))
        f = NAN;
    else if (kind == __NV_E5M2 && e == 31)
        f = INFINITY;
    return bits & 0x80 ? -f : f;
}

/* name the conversions to 8 bits */
static inline __nv_fp8_storage_t
__nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return __nv_cvt_double_to_fp8(x, s, k);
}
static inline __nv_fp8x2_storage_t
__nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s,
                         __nv_fp8_interpretation_t k)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, s, k) |
                                  __nv_cvt_double_to_fp8(x.y, s, k) << 8);
}
static inline __nv_fp8_storage_t
__nv_cvt_halfraw_to_fp8(__half x, __nv_saturation_t s,
                        __nv_fp8_interpretation_t k)
{
    return __nv_cvt_double_to_fp8((float)x, s, k);
}
static inline __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16 x, __nv_saturation_t s,
                            __nv_fp8_interpretation_t k)
{
    return __nv_cvt_double_to_fp8((float)x, s, k);
}
static inline __half __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                             __nv_fp8_interpretation_t k)
{
    return __half(loom_from_fp8(x, k));
}
static inline __half2 __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                 __nv_fp8_interpretation_t k)
{
    return __half2(__half(loom_from_fp8(x & 255u, k)),
                   __half(loom_from_fp8(x >> 8, k)));
}

/* define numbers of 8 bits */
#define LOOM_FP8(T, kind)                                                   \
    struct T {                                                              \
        __nv_fp8_storage_t __x;                                             \
                                                                            \
        T() = default;                                                      \
        template <class N,                                                  \
                  class = std::enable_if_t<std::is_arithmetic<N>::value ||  \
                                           loom_is_half<N>::value>>         \
        explicit T(N n)                                                     \
            : __x(__nv_cvt_double_to_fp8((double)n, __NV_SATFINITE, kind))  \
        {                                                                   \
        }                                                                   \
        explicit operator float() const                                     \
        {                                                                   \
            return loom_from_fp8(__x, kind);                                \
        }                                                                   \
        template <class N,                                                  \
                  class = std::enable_if_t<(std::is_arithmetic<N>::value || \
                                            loom_is_half<N>::value) &&      \
                                           !std::is_same<N, float>::value>> \
        explicit operator N() const                                         \
        {                                                                   \
            return (N)loom_from_fp8(__x, kind);                             \
        }                                                                   \
    };                                                                      \
    template <>                                                             \
    struct loom_is_half<T> : std::true_type {                               \
    };

/* define pairs and fours of 8 bits */
#define LOOM_FP8_PAIR(T2, kind)                                          \
    struct T2 {                                                          \
        __nv_fp8x2_storage_t __x;                                        \
                                                                         \
        T2() = default;                                                  \
        explicit T2(float2 v)                                            \
            : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind))     \
        {                                                                \
        }                                                                \
        explicit T2(__half2 v) : T2(make_float2((float)v.x, (float)v.y)) \
        {                                                                \
        }                                                                \
        explicit T2(__nv_bfloat162 v)                                    \
            : T2(make_float2((float)v.x, (float)v.y))                    \
        {                                                                \
        }                                                                \
        explicit operator float2() const                                 \
        {                                                                \
            return make_float2(loom_from_fp8(__x & 255u, kind),          \
                               loom_from_fp8(__x >> 8, kind));           \
        }                                                                \
        explicit operator __half2() const                                \
        {                                                                \
            return __nv_cvt_fp8x2_to_halfraw2(__x, kind);                \
        }                                                                \
    };
#define LOOM_FP8_FOUR(T4, kind)                                             \
    struct T4 {                                                             \
        __nv_fp8x4_storage_t __x;                                           \
                                                                            \
        T4() = default;                                                     \
        explicit T4(float4 v)                                               \
            : __x(__nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y),           \
                                           __NV_SATFINITE, kind) |          \
                  (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(v.z, v.w), \
                                                     __NV_SATFINITE, kind)  \
                      << 16)                                                \
        {                                                                   \
        }                                                                   \
        explicit operator float4() const                                    \
        {                                                                   \
            return make_float4(loom_from_fp8(__x & 255, kind),              \
                               loom_from_fp8(__x >> 8 & 255, kind),         \
                               loom_from_fp8(__x >> 16 & 255, kind),        \
                               loom_from_fp8(__x >> 24, kind));             \
        }                                                                   \
    };
LOOM_FP8(__nv_fp8_e4m3, __NV_E4M3)
LOOM_FP8(__nv_fp8_e5m2, __NV_E5M2)
LOOM_FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
LOOM_FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
LOOM_FP8_FOUR(__nv_fp8x4_e4m3, __NV_E4M3)
LOOM_FP8_FOUR(__nv_fp8x4_e5m2, __NV_E5M2)

#endif

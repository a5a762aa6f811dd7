/* half_types.h: what __half and __nv_bfloat16 have in common. */
#ifndef MACHINE_HALF_TYPES_H
#define MACHINE_HALF_TYPES_H

#include "machine/cuda_runtime.h"

/* round a double to odd */
static inline float simt_to_odd(double d)
{
    float f = (float)d;

    if (f != f || (double)f == d || fabsf(f) == INFINITY)
        return f;
    if (fabs((double)f) > fabs(d))
        f = nextafterf(f, 0.0f);
    return __uint_as_float(__float_as_uint(f) | 1);
}

/* The same for a sum of doubles: what it lost is itself a double. */
static inline double simt_sum_to_odd(double a, double b)
{
    double s = a + b, t = s - a, lost = (a - (s - t)) + (b - t);

    if (fabs(lost) > 0 && !(__double_as_longlong(s) & 1))
        s = nextafter(s, lost > 0 ? INFINITY : -INFINITY);
    return s;
}

/* define a type of 16 bits */
#define SIMT_HALF_TYPE(T, from, to)                                       \
    struct T {                                                            \
        unsigned short bits;                                              \
                                                                          \
        T() = default;                                                    \
        T(float f) : bits(to(f))                                          \
        {                                                                 \
        }                                                                 \
        template <class N,                                                \
                  class = std::enable_if_t<std::is_arithmetic<N>::value>> \
        T(N n) : bits(to(simt_to_odd((double)n)))                         \
        {                                                                 \
        }                                                                 \
        operator float() const                                            \
        {                                                                 \
            return from(bits);                                            \
        }                                                                 \
    };                                                                    \
    template <>                                                           \
    struct simt_is_half<T> : std::true_type {                             \
    };                                                                    \
    static inline T simt_bits_as(T, unsigned short bits)                  \
    {                                                                     \
        T h;                                                              \
                                                                          \
        h.bits = bits;                                                    \
        return h;                                                         \
    }

/* compute with 16 bits */
#define SIMT_HALF_OP(T, name, op)              \
    static inline T name(T a, T b)             \
    {                                          \
        return T((float)a op(float) b);        \
    }                                          \
    static inline T operator op(T a, T b)      \
    {                                          \
        return T((float)a op(float) b);        \
    }                                          \
    static inline T &operator op##=(T &a, T b) \
    {                                          \
        return a = a op b;                     \
    }
#define SIMT_HALF_UNARY(T, name, value) \
    static inline T name(T h)           \
    {                                   \
        float x = h;                    \
                                        \
        return T(value);                \
    }
#define SIMT_HALF_ARITHMETIC(T)                                           \
    SIMT_HALF_OP(T, __hadd, +)                                            \
    SIMT_HALF_OP(T, __hsub, -)                                            \
    SIMT_HALF_OP(T, __hmul, *)                                            \
    SIMT_HALF_OP(T, __hdiv, /)                                            \
    static inline T __hfma(T a, T b, T c)                                 \
    {                                                                     \
        return T(simt_sum_to_odd((double)(float)a * (float)b, (float)c)); \
    }                                                                     \
    SIMT_HALF_UNARY(T, __hneg, -x)                                        \
    SIMT_HALF_UNARY(T, operator-, -x)                                     \
    SIMT_HALF_UNARY(T, __habs, fabsf(x))                                  \
    SIMT_HALF_UNARY(T, hsqrt, sqrtf(x))                                   \
    SIMT_HALF_UNARY(T, hrsqrt, 1.0f / sqrtf(x))                           \
    SIMT_HALF_UNARY(T, hrcp, 1.0f / x)                                    \
    SIMT_HALF_UNARY(T, hexp, expf(x))                                     \
    SIMT_HALF_UNARY(T, hlog, logf(x))

/* compare 16 bits */
#define SIMT_HALF_COMPARE(T, name, op)       \
    static inline bool name(T a, T b)        \
    {                                        \
        return (float)a op(float) b;         \
    }                                        \
    static inline bool operator op(T a, T b) \
    {                                        \
        return (float)a op(float) b;         \
    }
#define SIMT_HALF_COMPARISONS(T)                     \
    SIMT_HALF_COMPARE(T, __heq, ==)                  \
    SIMT_HALF_COMPARE(T, __hne, !=)                  \
    SIMT_HALF_COMPARE(T, __hlt, <)                   \
    SIMT_HALF_COMPARE(T, __hle, <=)                  \
    SIMT_HALF_COMPARE(T, __hgt, >)                   \
    SIMT_HALF_COMPARE(T, __hge, >=)                  \
    static inline bool __hisnan(T a)                 \
    {                                                \
        return (a.bits & 0x7fff) > T(INFINITY).bits; \
    }                                                \
    static inline T __hmax(T a, T b)                 \
    {                                                \
        return T(fmaxf(a, b));                       \
    }                                                \
    static inline T __hmin(T a, T b)                 \
    {                                                \
        return T(fminf(a, b));                       \
    }

/* compute with pairs of 16 bits */
#define SIMT_HALF_PAIR_OP(T, T2, name, op)   \
    static inline T2 name(T2 a, T2 b)        \
    {                                        \
        return T2(a.x op b.x, a.y op b.y);   \
    }                                        \
    static inline T2 operator op(T2 a, T2 b) \
    {                                        \
        return T2(a.x op b.x, a.y op b.y);   \
    }
#define SIMT_HALF_PAIR_MOST(T, T2, name, of)   \
    static inline T2 name(T2 a, T2 b)          \
    {                                          \
        return T2(of(a.x, b.x), of(a.y, b.y)); \
    }
#define SIMT_HALF_PAIR(T, T2)                                    \
    struct alignas(4) T2 {                                       \
        T x, y;                                                  \
                                                                 \
        T2() = default;                                          \
        T2(T a, T b) : x(a), y(b)                                \
        {                                                        \
        }                                                        \
    };                                                           \
    template <>                                                  \
    struct simt_is_half<T2> : std::true_type {                   \
    };                                                           \
    SIMT_HALF_PAIR_OP(T, T2, __hadd2, +)                         \
    SIMT_HALF_PAIR_OP(T, T2, __hsub2, -)                         \
    SIMT_HALF_PAIR_OP(T, T2, __hmul2, *)                         \
    SIMT_HALF_PAIR_OP(T, T2, __h2div, /)                         \
    static inline T2 __hfma2(T2 a, T2 b, T2 c)                   \
    {                                                            \
        return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); \
    }                                                            \
    SIMT_HALF_PAIR_MOST(T, T2, __hmax2, __hmax)                  \
    SIMT_HALF_PAIR_MOST(T, T2, __hmin2, __hmin)

/* exchange 16 bits */
#define SIMT_HALF_ATOMICS(T, T2)                       \
    SIMT_ATOMIC(atomicAdd, T, old + v)                 \
    static inline T2 atomicAdd(T2 *p, T2 v, SIMT_HERE) \
    {                                                  \
        return T2(atomicAdd(&p->x, v.x, file, line),   \
                  atomicAdd(&p->y, v.y, file, line));  \
    }
#define SIMT_HALF_NAMES(T, T2, n)                                       \
    SIMT_FUNCTION(float, __##n##2float, (T h), h)                       \
    SIMT_FUNCTION(T, __float2##n, (float f), f)                         \
    SIMT_FUNCTION(T, __float2##n##_rn, (float f), f)                    \
    SIMT_FUNCTION(T, __double2##n, (double d), d)                       \
    SIMT_FUNCTION(T, __int2##n##_rn, (int i), i)                        \
    SIMT_FUNCTION(int, __##n##2int_rn, (T h), lrintf(h))                \
    SIMT_FUNCTION(int, __##n##2int_rz, (T h), truncf(h))                \
    SIMT_FUNCTION(unsigned short, __##n##_as_ushort, (T h), h.bits)     \
    SIMT_FUNCTION(T, __ushort_as_##n, (unsigned short b),               \
                  simt_bits_as(T(), b))                                 \
    SIMT_FUNCTION(T, __low2##n, (T2 p), p.x)                            \
    SIMT_FUNCTION(T, __high2##n, (T2 p), p.y)                           \
    SIMT_FUNCTION(float, __low2float, (T2 p), p.x)                      \
    SIMT_FUNCTION(float, __high2float, (T2 p), p.y)                     \
    SIMT_FUNCTION(T2, __halves2##n##2, (T a, T b), T2(a, b))            \
    SIMT_FUNCTION(T2, __##n##2##n##2, (T a), T2(a, a))                  \
    SIMT_FUNCTION(T2, __float2##n##2_rn, (float a), T2(a, a))           \
    SIMT_FUNCTION(T2, __floats2##n##2_rn, (float a, float b), T2(a, b)) \
    SIMT_FUNCTION(T2, __float22##n##2_rn, (float2 v), T2(v.x, v.y))     \
    SIMT_FUNCTION(float2, __##n##22float2, (T2 p), make_float2(p.x, p.y))

#define SIMT_HALF(T, T2, n, from, to) \
    SIMT_HALF_TYPE(T, from, to)       \
    SIMT_HALF_ARITHMETIC(T)           \
    SIMT_HALF_COMPARISONS(T)          \
    SIMT_HALF_PAIR(T, T2)             \
    SIMT_HALF_ATOMICS(T, T2)          \
    SIMT_HALF_NAMES(T, T2, n)
#endif

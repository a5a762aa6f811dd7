/* half_types.h: what __half and __nv_bfloat16 have in common. */
#ifndef LOOM_HALF_TYPES_H
#define LOOM_HALF_TYPES_H

#include "loom/cuda_runtime.h"

/* round a double to odd */
static inline float loom_to_odd(double d)
{
    float f = (float)d;

    if (f != f || (double)f == d || fabsf(f) == INFINITY)
        return f;
    if (fabs((double)f) > fabs(d))
        f = nextafterf(f, 0.0f);
    return __uint_as_float(__float_as_uint(f) | 1);
}

/* The same for a sum of doubles: what it lost is itself a double. */
static inline double loom_sum_to_odd(double a, double b)
{
    double s = a + b, t = s - a, lost = (a - (s - t)) + (b - t);

    if (fabs(lost) > 0 && !(__double_as_longlong(s) & 1))
        s = nextafter(s, lost > 0 ? INFINITY : -INFINITY);
    return s;
}

/* define a type of 16 bits */
#define LOOM_HALF_TYPE(T, from, to)                                       \
    struct T {                                                            \
        unsigned short bits;                                              \
                                                                          \
        T() = default;                                                    \
        T(float f) : bits(to(f))                                          \
        {                                                                 \
        }                                                                 \
        template <class N,                                                \
                  class = std::enable_if_t<std::is_arithmetic<N>::value>> \
        T(N n) : bits(to(loom_to_odd((double)n)))                         \
        {                                                                 \
        }                                                                 \
        operator float() const                                            \
        {                                                                 \
            return from(bits);                                            \
        }                                                                 \
    };                                                                    \
    template <>                                                           \
    struct loom_is_half<T> : std::true_type {                             \
    };                                                                    \
    static inline T loom_bits_as(T, unsigned short bits)                  \
    {                                                                     \
        T h;                                                              \
                                                                          \
        h.bits = bits;                                                    \
        return h;                                                         \
    }

/* compute with 16 bits */
#define LOOM_HALF_OP(T, name, op)              \
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
#define LOOM_HALF_UNARY(T, name, value) \
    static inline T name(T h)           \
    {                                   \
        float x = h;                    \
                                        \
        return T(value);                \
    }
#define LOOM_HALF_ARITHMETIC(T)                                           \
    LOOM_HALF_OP(T, __hadd, +)                                            \
    LOOM_HALF_OP(T, __hsub, -)                                            \
    LOOM_HALF_OP(T, __hmul, *)                                            \
    LOOM_HALF_OP(T, __hdiv, /)                                            \
    static inline T __hfma(T a, T b, T c)                                 \
    {                                                                     \
        return T(loom_sum_to_odd((double)(float)a * (float)b, (float)c)); \
    }                                                                     \
    LOOM_HALF_UNARY(T, __hneg, -x)                                        \
    LOOM_HALF_UNARY(T, operator-, -x)                                     \
    LOOM_HALF_UNARY(T, __habs, fabsf(x))                                  \
    LOOM_HALF_UNARY(T, hsqrt, sqrtf(x))                                   \
    LOOM_HALF_UNARY(T, hrsqrt, 1.0f / sqrtf(x))                           \
    LOOM_HALF_UNARY(T, hrcp, 1.0f / x)                                    \
    LOOM_HALF_UNARY(T, hexp, expf(x))                                     \
    LOOM_HALF_UNARY(T, hlog, logf(x))

/* compare 16 bits */
#define LOOM_HALF_COMPARE(T, name, op)       \
    static inline bool name(T a, T b)        \
    {                                        \
        return (float)a op(float) b;         \
    }                                        \
    static inline bool operator op(T a, T b) \
    {                                        \
        return (float)a op(float) b;         \
    }
#define LOOM_HALF_COMPARISONS(T)                     \
    LOOM_HALF_COMPARE(T, __heq, ==)                  \
    LOOM_HALF_COMPARE(T, __hne, !=)                  \
    LOOM_HALF_COMPARE(T, __hlt, <)                   \
    LOOM_HALF_COMPARE(T, __hle, <=)                  \
    LOOM_HALF_COMPARE(T, __hgt, >)                   \
    LOOM_HALF_COMPARE(T, __hge, >=)                  \
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
#define LOOM_HALF_PAIR_OP(T, T2, name, op)   \
    static inline T2 name(T2 a, T2 b)        \
    {                                        \
        return T2(a.x op b.x, a.y op b.y);   \
    }                                        \
    static inline T2 operator op(T2 a, T2 b) \
    {                                        \
        return T2(a.x op b.x, a.y op b.y);   \
    }
#define LOOM_HALF_PAIR_MOST(T, T2, name, of)   \
    static inline T2 name(T2 a, T2 b)          \
    {                                          \
        return T2(of(a.x, b.x), of(a.y, b.y)); \
    }
#define LOOM_HALF_PAIR(T, T2)                                    \
    struct alignas(4) T2 {                                       \
        T x, y;                                                  \
                                                                 \
        T2() = default;                                          \
        T2(T a, T b) : x(a), y(b)                                \
        {                                                        \
        }                                                        \
    };                                                           \
    template <>                                                  \
    struct loom_is_half<T2> : std::true_type {                   \
    };                                                           \
    LOOM_HALF_PAIR_OP(T, T2, __hadd2, +)                         \
    LOOM_HALF_PAIR_OP(T, T2, __hsub2, -)                         \
    LOOM_HALF_PAIR_OP(T, T2, __hmul2, *)                         \
    LOOM_HALF_PAIR_OP(T, T2, __h2div, /)                         \
    static inline T2 __hfma2(T2 a, T2 b, T2 c)                   \
    {                                                            \
        return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); \
    }                                                            \
    LOOM_HALF_PAIR_MOST(T, T2, __hmax2, __hmax)                  \
    LOOM_HALF_PAIR_MOST(T, T2, __hmin2, __hmin)

/* exchange 16 bits */
#define LOOM_HALF_ATOMICS(T, T2)                       \
    LOOM_ATOMIC(atomicAdd, T, old + v)                 \
    static inline T2 atomicAdd(T2 *p, T2 v, LOOM_HERE) \
    {                                                  \
        return T2(atomicAdd(&p->x, v.x, file, line),   \
                  atomicAdd(&p->y, v.y, file, line));  \
    }
#define LOOM_HALF_NAMES(T, T2, n)                                       \
    LOOM_FUNCTION(float, __##n##2float, (T h), h)                       \
    LOOM_FUNCTION(T, __float2##n, (float f), f)                         \
    LOOM_FUNCTION(T, __float2##n##_rn, (float f), f)                    \
    LOOM_FUNCTION(T, __double2##n, (double d), d)                       \
    LOOM_FUNCTION(T, __int2##n##_rn, (int i), i)                        \
    LOOM_FUNCTION(int, __##n##2int_rn, (T h), lrintf(h))                \
    LOOM_FUNCTION(int, __##n##2int_rz, (T h), truncf(h))                \
    LOOM_FUNCTION(unsigned short, __##n##_as_ushort, (T h), h.bits)     \
    LOOM_FUNCTION(T, __ushort_as_##n, (unsigned short b),               \
                  loom_bits_as(T(), b))                                 \
    LOOM_FUNCTION(T, __low2##n, (T2 p), p.x)                            \
    LOOM_FUNCTION(T, __high2##n, (T2 p), p.y)                           \
    LOOM_FUNCTION(float, __low2float, (T2 p), p.x)                      \
    LOOM_FUNCTION(float, __high2float, (T2 p), p.y)                     \
    LOOM_FUNCTION(T2, __halves2##n##2, (T a, T b), T2(a, b))            \
    LOOM_FUNCTION(T2, __##n##2##n##2, (T a), T2(a, a))                  \
    LOOM_FUNCTION(T2, __float2##n##2_rn, (float a), T2(a, a))           \
    LOOM_FUNCTION(T2, __floats2##n##2_rn, (float a, float b), T2(a, b)) \
    LOOM_FUNCTION(T2, __float22##n##2_rn, (float2 v), T2(v.x, v.y))     \
    LOOM_FUNCTION(float2, __##n##22float2, (T2 p), make_float2(p.x, p.y))

#define LOOM_HALF(T, T2, n, from, to) \
    LOOM_HALF_TYPE(T, from, to)       \
    LOOM_HALF_ARITHMETIC(T)           \
    LOOM_HALF_COMPARISONS(T)          \
    LOOM_HALF_PAIR(T, T2)             \
    LOOM_HALF_ATOMICS(T, T2)          \
    LOOM_HALF_NAMES(T, T2, n)
#endif

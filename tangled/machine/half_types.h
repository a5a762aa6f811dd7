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

/* define a type of 16 bits */

/* say how 16 bits are shuffled and made */
#define SIMT_HALF_USES(T)                                \
    template <>                                          \
    struct simt_is_half<T> : std::true_type {            \
    };                                                   \
    static inline T simt_bits_as(T, unsigned short bits) \
    {                                                    \
        T h;                                             \
                                                         \
        h.bits = bits;                                   \
        return h;                                        \
    }
#define SIMT_HALF_TYPE(T, from, to)                       \
    struct T {                                            \
        unsigned short bits;                              \
                                                          \
        T() = default;                                    \
        T(float f) : bits(to(f))                          \
        {                                                 \
        }                                                 \
        T(double d) : bits(to(simt_to_odd(d)))            \
        {                                                 \
        }                                                 \
        T(int i) : bits(to(simt_to_odd(i)))               \
        {                                                 \
        }                                                 \
        T(unsigned int i) : bits(to(simt_to_odd(i)))      \
        {                                                 \
        }                                                 \
        T(long long i) : bits(to(simt_to_odd((double)i))) \
        {                                                 \
        }                                                 \
        operator float() const                            \
        {                                                 \
            return from(bits);                            \
        }                                                 \
    };

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
        return T((double)(float)a * (double)(float)b + (double)(float)c); \
    }                                                                     \
    SIMT_HALF_UNARY(T, __hneg, -x)                                        \
    SIMT_HALF_UNARY(T, operator-, -x)                                     \
    SIMT_HALF_UNARY(T, __habs, fabsf(x))                                  \
    SIMT_HALF_UNARY(T, hsqrt, sqrtf(x))                                   \
    SIMT_HALF_UNARY(T, hrsqrt, 1.0f / sqrtf(x))                           \
    SIMT_HALF_UNARY(T, hrcp, 1.0f / x)                                    \
    SIMT_HALF_UNARY(T, hexp, expf(x))                                     \
    SIMT_HALF_UNARY(T, hexp2, exp2f(x))                                   \
    SIMT_HALF_UNARY(T, hlog, logf(x))                                     \
    SIMT_HALF_UNARY(T, hlog2, log2f(x))                                   \
    SIMT_HALF_UNARY(T, hsin, sinf(x))                                     \
    SIMT_HALF_UNARY(T, hcos, cosf(x))                                     \
    SIMT_HALF_UNARY(T, hfloor, floorf(x))                                 \
    SIMT_HALF_UNARY(T, hceil, ceilf(x))                                   \
    SIMT_HALF_UNARY(T, htrunc, truncf(x))

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
#define SIMT_HALF_PAIR(T, T2)                  \
    struct alignas(4) T2 {                     \
        T x, y;                                \
                                               \
        T2() = default;                        \
        T2(T a, T b) : x(a), y(b)              \
        {                                      \
        }                                      \
    };                                         \
    template <>                                \
    struct simt_is_half<T2> : std::true_type { \
    };                                         \
    SIMT_HALF_PAIR_OP(T, T2, __hadd2, +)       \
    SIMT_HALF_PAIR_OP(T, T2, __hsub2, -)       \
    SIMT_HALF_PAIR_OP(T, T2, __hmul2, *)       \
    SIMT_HALF_PAIR_OP(T, T2, __h2div, /)       \
    SIMT_HALF_PAIR_MORE(T, T2)
#define SIMT_HALF_PAIR_MORE(T, T2)                               \
    static inline T2 __hfma2(T2 a, T2 b, T2 c)                   \
    {                                                            \
        return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); \
    }                                                            \
    static inline T2 __hneg2(T2 a)                               \
    {                                                            \
        return T2(-a.x, -a.y);                                   \
    }                                                            \
    static inline T2 __hmax2(T2 a, T2 b)                         \
    {                                                            \
        return T2(__hmax(a.x, b.x), __hmax(a.y, b.y));           \
    }                                                            \
    static inline T2 __hmin2(T2 a, T2 b)                         \
    {                                                            \
        return T2(__hmin(a.x, b.x), __hmin(a.y, b.y));           \
    }                                                            \
    static inline T2 __lowhigh2highlow(T2 a)                     \
    {                                                            \
        return T2(a.y, a.x);                                     \
    }

/* exchange 16 bits */
#define SIMT_HALF_ATOMICS(T, T2)                       \
    SIMT_ATOMIC(atomicAdd, T, old + v)                 \
    static inline T2 atomicAdd(T2 *p, T2 v, SIMT_HERE) \
    {                                                  \
        return T2(atomicAdd(&p->x, v.x, file, line),   \
                  atomicAdd(&p->y, v.y, file, line));  \
    }
#endif

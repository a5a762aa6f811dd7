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
    struct T##_raw {                                                      \
        unsigned short x;                                                 \
    };                                                                    \
    struct T {                                                            \
        unsigned short bits;                                              \
                                                                          \
        T() = default;                                                    \
        T(T##_raw r) : bits(r.x)                                          \
        {                                                                 \
        }                                                                 \
        operator T##_raw() const                                          \
        {                                                                 \
            return {bits};                                                \
        }                                                                 \
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
static inline float loom_sat(float x)
{
    return x > 0 ? fminf(x, 1) : 0;
}
#define LOOM_HALF_OP(T, name, op)                 \
    static inline T name(T a, T b)                \
    {                                             \
        return T((float)a op(float) b);           \
    }                                             \
    static inline T name##_rn(T a, T b)           \
    {                                             \
        return T((float)a op(float) b);           \
    }                                             \
    static inline T name##_sat(T a, T b)          \
    {                                             \
        return T(loom_sat((float)a op(float) b)); \
    }                                             \
    static inline T operator op(T a, T b)         \
    {                                             \
        return T((float)a op(float) b);           \
    }                                             \
    static inline T &operator op##=(T &a, T b)    \
    {                                             \
        return a = a op b;                        \
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
    static inline T __hfma_sat(T a, T b, T c)                             \
    {                                                                     \
        return T(loom_sat(__hfma(a, b, c)));                              \
    }                                                                     \
    static inline T __hfma_relu(T a, T b, T c)                            \
    {                                                                     \
        T r = __hfma(a, b, c);                                            \
                                                                          \
        return (float)r < 0 ? T(0.0f) : r;                                \
    }                                                                     \
    LOOM_HALF_UNARY(T, __habs, fabsf(x))

/* compare 16 bits */
#define LOOM_HALF_COMPARE(T, name, op)                                   \
    static inline bool name(T a, T b)                                    \
    {                                                                    \
        return !isunordered((float)a, (float)b) && (float)a op(float) b; \
    }                                                                    \
    static inline bool name##u(T a, T b)                                 \
    {                                                                    \
        return isunordered((float)a, (float)b) || (float)a op(float) b;  \
    }                                                                    \
    static inline bool operator op(T a, T b)                             \
    {                                                                    \
        return (float)a op(float) b;                                     \
    }
#define LOOM_HALF_COMPARISONS(T)                                        \
    LOOM_HALF_COMPARE(T, __heq, ==)                                     \
    LOOM_HALF_COMPARE(T, __hne, !=)                                     \
    LOOM_HALF_COMPARE(T, __hlt, <)                                      \
    LOOM_HALF_COMPARE(T, __hle, <=)                                     \
    LOOM_HALF_COMPARE(T, __hgt, >)                                      \
    LOOM_HALF_COMPARE(T, __hge, >=)                                     \
    static inline bool __hisnan(T a)                                    \
    {                                                                   \
        return (a.bits & 0x7fff) > T(INFINITY).bits;                    \
    }                                                                   \
    static inline T __hmax(T a, T b)                                    \
    {                                                                   \
        return T(fmaxf(a, b));                                          \
    }                                                                   \
    static inline int __hisinf(T a)                                     \
    {                                                                   \
        return isinf((float)a) ? (float)a < 0 ? -1 : 1 : 0;             \
    }                                                                   \
    static inline T __hmin(T a, T b)                                    \
    {                                                                   \
        return T(fminf(a, b));                                          \
    }                                                                   \
    static inline T __hmax_nan(T a, T b)                                \
    {                                                                   \
        return isunordered((float)a, (float)b) ? T(NAN) : __hmax(a, b); \
    }                                                                   \
    static inline T __hmin_nan(T a, T b)                                \
    {                                                                   \
        return isunordered((float)a, (float)b) ? T(NAN) : __hmin(a, b); \
    }

/* compute with pairs of 16 bits */
#define LOOM_HALF_PAIR_OP(T, T2, name, op)                \
    static inline T2 name(T2 a, T2 b)                     \
    {                                                     \
        return T2(a.x op b.x, a.y op b.y);                \
    }                                                     \
    static inline T2 name##_rn(T2 a, T2 b)                \
    {                                                     \
        return T2(a.x op b.x, a.y op b.y);                \
    }                                                     \
    static inline T2 name##_sat(T2 a, T2 b)               \
    {                                                     \
        return T2(T(loom_sat((float)a.x op(float) b.x)),  \
                  T(loom_sat((float)a.y op(float) b.y))); \
    }                                                     \
    static inline T2 operator op(T2 a, T2 b)              \
    {                                                     \
        return T2(a.x op b.x, a.y op b.y);                \
    }                                                     \
    static inline T2 &operator op##=(T2 &a, T2 b)         \
    {                                                     \
        return a = a op b;                                \
    }
#define LOOM_HALF_PAIR_MOST(T, T2, name, of)   \
    static inline T2 name(T2 a, T2 b)          \
    {                                          \
        return T2(of(a.x, b.x), of(a.y, b.y)); \
    }
#define LOOM_HALF_PAIR(T, T2)                                              \
    struct T2##_raw {                                                      \
        unsigned short x, y;                                               \
    };                                                                     \
    struct alignas(4) T2 {                                                 \
        T x, y;                                                            \
                                                                           \
        T2() = default;                                                    \
        T2(T2##_raw r) : x(T##_raw{r.x}), y(T##_raw{r.y})                  \
        {                                                                  \
        }                                                                  \
        T2(T a, T b) : x(a), y(b)                                          \
        {                                                                  \
        }                                                                  \
    };                                                                     \
    template <>                                                            \
    struct loom_is_half<T2> : std::true_type {                             \
    };                                                                     \
    LOOM_HALF_PAIR_OP(T, T2, __hadd2, +)                                   \
    LOOM_HALF_PAIR_OP(T, T2, __hsub2, -)                                   \
    LOOM_HALF_PAIR_OP(T, T2, __hmul2, *)                                   \
    LOOM_HALF_PAIR_OP(T, T2, __h2div, /)                                   \
    static inline T2 __hfma2(T2 a, T2 b, T2 c)                             \
    {                                                                      \
        return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));           \
    }                                                                      \
    static inline T2 __hfma2_sat(T2 a, T2 b, T2 c)                         \
    {                                                                      \
        return T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));   \
    }                                                                      \
    static inline T2 __hfma2_relu(T2 a, T2 b, T2 c)                        \
    {                                                                      \
        return T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)); \
    }                                                                      \
    static inline T2 __hcmadd(T2 a, T2 b, T2 c)                            \
    {                                                                      \
        T2 r(__hfma(a.x, b.x, c.x), __hfma(a.x, b.y, c.y));                \
                                                                           \
        return T2(__hfma(-a.y, b.y, r.x), __hfma(a.y, b.x, r.y));          \
    }                                                                      \
    static inline T2 __hneg2(T2 a)                                         \
    {                                                                      \
        return T2(-a.x, -a.y);                                             \
    }                                                                      \
    static inline T2 operator-(T2 a)                                       \
    {                                                                      \
        return T2(-a.x, -a.y);                                             \
    }                                                                      \
    static inline T2 __habs2(T2 a)                                         \
    {                                                                      \
        return T2(__habs(a.x), __habs(a.y));                               \
    }                                                                      \
    LOOM_HALF_PAIR_MOST(T, T2, __hmax2, __hmax)                            \
    LOOM_HALF_PAIR_MOST(T, T2, __hmin2, __hmin)                            \
    LOOM_HALF_PAIR_MOST(T, T2, __hmax2_nan, __hmax_nan)                    \
    LOOM_HALF_PAIR_MOST(T, T2, __hmin2_nan, __hmin_nan)

/* compare pairs of 16 bits */
#define LOOM_HALF_PAIR_COMPARED(T, T2, of)                     \
    static inline T2 __h##of##2(T2 a, T2 b)                    \
    {                                                          \
        return T2(T(__h##of(a.x, b.x)), T(__h##of(a.y, b.y))); \
    }                                                          \
    static inline unsigned __h##of##2_mask(T2 a, T2 b)         \
    {                                                          \
        return (__h##of(a.x, b.x) ? 0xffffu : 0) |             \
               (__h##of(a.y, b.y) ? 0xffff0000u : 0);          \
    }                                                          \
    static inline bool __hb##of##2(T2 a, T2 b)                 \
    {                                                          \
        return __h##of(a.x, b.x) && __h##of(a.y, b.y);         \
    }
#define LOOM_HALF_PAIR_COMPARE(T, T2, of, op)  \
    LOOM_HALF_PAIR_COMPARED(T, T2, of)         \
    LOOM_HALF_PAIR_COMPARED(T, T2, of##u)      \
    static inline bool operator op(T2 a, T2 b) \
    {                                          \
        return a.x op b.x && a.y op b.y;       \
    }
#define LOOM_HALF_PAIR_COMPARISONS(T, T2)              \
    LOOM_HALF_PAIR_COMPARE(T, T2, eq, ==)              \
    LOOM_HALF_PAIR_COMPARE(T, T2, ne, !=)              \
    LOOM_HALF_PAIR_COMPARE(T, T2, lt, <)               \
    LOOM_HALF_PAIR_COMPARE(T, T2, le, <=)              \
    LOOM_HALF_PAIR_COMPARE(T, T2, gt, >)               \
    LOOM_HALF_PAIR_COMPARE(T, T2, ge, >=)              \
    static inline T2 __hisnan2(T2 a)                   \
    {                                                  \
        return T2(T(__hisnan(a.x)), T(__hisnan(a.y))); \
    }

/* compute functions of 16 bits */
#define LOOM_HALF_FUNCTION(T, T2, of, value) \
    LOOM_HALF_UNARY(T, h##of, value)         \
    static inline T2 h2##of(T2 p)            \
    {                                        \
        return T2(h##of(p.x), h##of(p.y));   \
    }
#define LOOM_HALF_FUNCTIONS(T, T2)                    \
    LOOM_HALF_FUNCTION(T, T2, sqrt, sqrtf(x))         \
    LOOM_HALF_FUNCTION(T, T2, rsqrt, 1.0f / sqrtf(x)) \
    LOOM_HALF_FUNCTION(T, T2, rcp, 1.0f / x)          \
    LOOM_HALF_FUNCTION(T, T2, exp, expf(x))           \
    LOOM_HALF_FUNCTION(T, T2, exp2, exp2f(x))         \
    LOOM_HALF_FUNCTION(T, T2, exp10, pow(10.0, x))    \
    LOOM_HALF_FUNCTION(T, T2, log, logf(x))           \
    LOOM_HALF_FUNCTION(T, T2, log2, log2f(x))         \
    LOOM_HALF_FUNCTION(T, T2, log10, log10f(x))       \
    LOOM_HALF_FUNCTION(T, T2, sin, sinf(x))           \
    LOOM_HALF_FUNCTION(T, T2, cos, cosf(x))           \
    LOOM_HALF_FUNCTION(T, T2, tanh, tanhf(x))         \
    LOOM_HALF_FUNCTION(T, T2, tanh_approx, tanhf(x))  \
    LOOM_HALF_FUNCTION(T, T2, ceil, ceilf(x))         \
    LOOM_HALF_FUNCTION(T, T2, floor, floorf(x))       \
    LOOM_HALF_FUNCTION(T, T2, rint, rintf(x))         \
    LOOM_HALF_FUNCTION(T, T2, trunc, truncf(x))

/* convert 16 bits from and to integers */
/* r, which is x rounded, rounded toward one side: -1, 1, or 0 for zero. */
template <class T>
static inline T loom_toward(T r, double x, int side)
{
    double got = (float)r;
    int up;

    side = side ? side : x < 0 ? 1 : -1;
    if (!(side < 0 ? got > x : got < x))
        return r;
    up = (got < 0) != (side > 0); /* the bits grow away from zero */
    return loom_bits_as(T(), got == 0
                                 ? (side < 0 ? 0x8001 : 1)
                                 : (unsigned short)(r.bits + (up ? 1 : -1)));
}

template <class I>
static inline I loom_held(double x)
{
    if (x != x)
        return sizeof(I) == 8 ? (I)(1ull << 63) : 0;
    if (x <= (double)std::numeric_limits<I>::min())
        return std::numeric_limits<I>::min();
    if (x >= (double)std::numeric_limits<I>::max())
        return std::numeric_limits<I>::max();
    return (I)x;
}

#define LOOM_HALF_INTEGER(T, n, I, i)                                          \
    LOOM_FUNCTION(I, __##n##2##i##_rn, (T h), loom_held<I>(rintf(h)))          \
    LOOM_FUNCTION(I, __##n##2##i##_rz, (T h), loom_held<I>(truncf(h)))         \
    LOOM_FUNCTION(I, __##n##2##i##_rd, (T h), loom_held<I>(floorf(h)))         \
    LOOM_FUNCTION(I, __##n##2##i##_ru, (T h), loom_held<I>(ceilf(h)))          \
    LOOM_FUNCTION(T, __##i##2##n##_rn, (I v), v)                               \
    LOOM_FUNCTION(T, __##i##2##n##_rz, (I v), loom_toward(T(v), (double)v, 0)) \
    LOOM_FUNCTION(T, __##i##2##n##_rd, (I v),                                  \
                  loom_toward(T(v), (double)v, -1))                            \
    LOOM_FUNCTION(T, __##i##2##n##_ru, (I v), loom_toward(T(v), (double)v, 1))
#define LOOM_HALF_INTEGERS(T, n)                    \
    LOOM_HALF_INTEGER(T, n, short, short)           \
    LOOM_HALF_INTEGER(T, n, unsigned short, ushort) \
    LOOM_HALF_INTEGER(T, n, int, int)               \
    LOOM_HALF_INTEGER(T, n, unsigned, uint)         \
    LOOM_HALF_INTEGER(T, n, long long, ll)          \
    LOOM_HALF_INTEGER(T, n, unsigned long long, ull)

/* exchange 16 bits */
#define LOOM_HALF_ATOMICS(T, T2)                       \
    LOOM_ATOMIC(atomicAdd, T, old + v)                 \
    static inline T2 atomicAdd(T2 *p, T2 v, LOOM_HERE) \
    {                                                  \
        return T2(atomicAdd(&p->x, v.x, file, line),   \
                  atomicAdd(&p->y, v.y, file, line));  \
    }
#define LOOM_HALF_NAMES(T, T2, n)                                           \
    LOOM_FUNCTION(float, __##n##2float, (T h), h)                           \
    LOOM_FUNCTION(T, __float2##n, (float f), f)                             \
    LOOM_FUNCTION(T, __float2##n##_rn, (float f), f)                        \
    LOOM_FUNCTION(T, __float2##n##_rz, (float f), loom_toward(T(f), f, 0))  \
    LOOM_FUNCTION(T, __float2##n##_rd, (float f), loom_toward(T(f), f, -1)) \
    LOOM_FUNCTION(T, __float2##n##_ru, (float f), loom_toward(T(f), f, 1))  \
    LOOM_FUNCTION(T, __double2##n, (double d), d)                           \
    LOOM_FUNCTION(unsigned short, __##n##_as_ushort, (T h), h.bits)         \
    LOOM_FUNCTION(T, __ushort_as_##n, (unsigned short b),                   \
                  loom_bits_as(T(), b))                                     \
    LOOM_FUNCTION(short, __##n##_as_short, (T h), h.bits)                   \
    LOOM_FUNCTION(T, __short_as_##n, (short b),                             \
                  loom_bits_as(T(), (unsigned short)b))                     \
    LOOM_FUNCTION(T, __low2##n, (T2 p), p.x)                                \
    LOOM_FUNCTION(T, __high2##n, (T2 p), p.y)                               \
    LOOM_FUNCTION(T2, __low2##n##2, (T2 p), T2(p.x, p.x))                   \
    LOOM_FUNCTION(T2, __high2##n##2, (T2 p), T2(p.y, p.y))                  \
    LOOM_FUNCTION(T2, __lows2##n##2, (T2 p, T2 q), T2(p.x, q.x))            \
    LOOM_FUNCTION(T2, __highs2##n##2, (T2 p, T2 q), T2(p.y, q.y))           \
    LOOM_FUNCTION(T2, __lowhigh2highlow, (T2 p), T2(p.y, p.x))              \
    LOOM_FUNCTION(T2, make_##n##2, (T a, T b), T2(a, b))                    \
    LOOM_FUNCTION(float, __low2float, (T2 p), p.x)                          \
    LOOM_FUNCTION(float, __high2float, (T2 p), p.y)                         \
    LOOM_FUNCTION(T2, __halves2##n##2, (T a, T b), T2(a, b))                \
    LOOM_FUNCTION(T2, __##n##2##n##2, (T a), T2(a, a))                      \
    LOOM_FUNCTION(T2, __float2##n##2_rn, (float a), T2(a, a))               \
    LOOM_FUNCTION(T2, __floats2##n##2_rn, (float a, float b), T2(a, b))     \
    LOOM_FUNCTION(T2, __float22##n##2_rn, (float2 v), T2(v.x, v.y))         \
    LOOM_FUNCTION(float2, __##n##22float2, (T2 p), make_float2(p.x, p.y))

#define LOOM_HALF(T, T2, n, from, to) \
    LOOM_HALF_TYPE(T, from, to)       \
    LOOM_HALF_ARITHMETIC(T)           \
    LOOM_HALF_COMPARISONS(T)          \
    LOOM_HALF_PAIR(T, T2)             \
    LOOM_HALF_PAIR_COMPARISONS(T, T2) \
    LOOM_HALF_FUNCTIONS(T, T2)        \
    LOOM_HALF_INTEGERS(T, n)          \
    LOOM_HALF_ATOMICS(T, T2)          \
    LOOM_HALF_NAMES(T, T2, n)
#endif

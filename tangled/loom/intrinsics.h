/* intrinsics.h: the rest of the functions in the tables of CUDA's manuals. Included
   by device_functions.h. */
#ifndef LOOM_INTRINSICS_H
#define LOOM_INTRINSICS_H

#include <cfenv>
#include <cmath>
#include <limits>

#include "loom/asm.h"
#include "loom/cluster.h"

/* compute with integers */
typedef signed char loom_s8;
typedef unsigned char loom_u8;
LOOM_FUNCTION(loom_u32, umin, (loom_u32 a, loom_u32 b), a < b ? a : b)
LOOM_FUNCTION(loom_u32, umax, (loom_u32 a, loom_u32 b), a > b ? a : b)
LOOM_FUNCTION(long long, llmin, (long long a, long long b), a < b ? a : b)
LOOM_FUNCTION(long long, llmax, (long long a, long long b), a > b ? a : b)
LOOM_FUNCTION(loom_u64, ullmin, (loom_u64 a, loom_u64 b), a < b ? a : b)
LOOM_FUNCTION(loom_u64, ullmax, (loom_u64 a, loom_u64 b), a > b ? a : b)
LOOM_FUNCTION(loom_u32, __umul24, (loom_u32 a, loom_u32 b),
              (a & 0xffffff) * (b & 0xffffff))
LOOM_FUNCTION(long long, __mul64hi, (long long a, long long b),
              ((__int128)a * b) >> 64)
LOOM_FUNCTION(int, __hadd, (int a, int b), ((long long)a + b) >> 1)
LOOM_FUNCTION(int, __rhadd, (int a, int b), ((long long)a + b + 1) >> 1)
LOOM_FUNCTION(loom_u32, __uhadd, (loom_u32 a, loom_u32 b),
              ((loom_u64)a + b) >> 1)
LOOM_FUNCTION(loom_u32, __urhadd, (loom_u32 a, loom_u32 b),
              ((loom_u64)a + b + 1) >> 1)
LOOM_FUNCTION(loom_u32, __sad, (int a, int b, loom_u32 c),
              (a > b ? (loom_u32)a - (loom_u32)b : (loom_u32)b - (loom_u32)a) +
                  c)
LOOM_FUNCTION(loom_u32, __usad, (loom_u32 a, loom_u32 b, loom_u32 c),
              (a > b ? a - b : b - a) + c)
LOOM_FUNCTION(loom_u32, __funnelshift_lc,
              (loom_u32 low, loom_u32 high, loom_u32 by),
              by >= 32 ? low : __funnelshift_l(low, high, by))
LOOM_FUNCTION(loom_u32, __funnelshift_rc,
              (loom_u32 low, loom_u32 high, loom_u32 by),
              by >= 32 ? high : __funnelshift_r(low, high, by))
LOOM_FUNCTION(loom_u64, __brevll, (loom_u64 x),
              (loom_u64)__brev((loom_u32)x) << 32 | __brev((loom_u32)(x >> 32)))
LOOM_FUNCTION(unsigned short, __nv_bswap16, (unsigned short x),
              __builtin_bswap16(x))
LOOM_FUNCTION(loom_u32, __nv_bswap32, (loom_u32 x), __builtin_bswap32(x))
LOOM_FUNCTION(loom_u64, __nv_bswap64, (loom_u64 x), __builtin_bswap64(x))

/* The place of the n-th bit that is set, from bit `from` on; n < 0: downwards. */
static inline loom_u32 __fns(loom_u32 mask, loom_u32 from, int n)
{
    int by = n < 0 ? -1 : 1;

    if (n == 0)
        return mask >> from & 1 ? from : ~0u;
    for (int i = (int)from; i >= 0 && i < 32; i += by)
        if (mask >> i & 1 && (n -= by) == 0)
            return (loom_u32)i;
    return ~0u;
}

/* compute dot products of bytes */
/* c and the products of four bytes each, signed or not; or of two halves of a with
   the lower or the upper two bytes of b. */
#define LOOM_DOT(T, A, B)                                                 \
    static inline T __dp4a(A a, A b, T c)                                 \
    {                                                                     \
        for (int i = 0; i < 32; i += 8)                                   \
            c += (T)((B)((loom_u32)a >> i)) * (T)((B)((loom_u32)b >> i)); \
        return c;                                                         \
    }
LOOM_DOT(int, int, loom_s8)
LOOM_DOT(loom_u32, loom_u32, loom_u8)
#define LOOM_DOT2(name, T, H, B, from)                  \
    static inline T name(T a, T b, T c)                 \
    {                                                   \
        for (int i = 0; i < 2; i++)                     \
            c += (T)(H)((loom_u32)a >> 16 * i) *        \
                 (T)(B)((loom_u32)b >> (8 * i + from)); \
        return c;                                       \
    }
LOOM_DOT2(__dp2a_lo, int, short, loom_s8, 0)
LOOM_DOT2(__dp2a_hi, int, short, loom_s8, 16)
LOOM_DOT2(__dp2a_lo, loom_u32, unsigned short, loom_u8, 0)
LOOM_DOT2(__dp2a_hi, loom_u32, unsigned short, loom_u8, 16)

/* compute with parts of a word */
/* The same to each half or each byte of a word. T has such a part, and what is
   worked out with x and y, as int, is put back. */
template <class T, class F>
static inline loom_u32 loom_parts(loom_u32 a, loom_u32 b, F f)
{
    const int bits = 8 * (int)sizeof(T);
    const loom_u32 all = (1u << bits) - 1;
    loom_u32 r = 0;

    for (int i = 0; i < 32; i += bits)
        r |= ((loom_u32)f((int)(T)(a >> i), (int)(T)(b >> i)) & all) << i;
    return r;
}
static inline int loom_clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}
#define LOOM_PARTS(name, T, value)                      \
    static inline loom_u32 name(loom_u32 a, loom_u32 b) \
    {                                                   \
        return loom_parts<T>(a, b, [](int x, int y) {   \
            (void)y;                                    \
            return (int)(value);                        \
        });                                             \
    }
#define LOOM_PART(name, T, value)                     \
    static inline loom_u32 name(loom_u32 a)           \
    {                                                 \
        return loom_parts<T>(a, 0, [](int x, int y) { \
            (void)y;                                  \
            return (int)(value);                      \
        });                                           \
    }

/* define what is done to parts */
#define LOOM_COMPARED(n, S, U, what, op)               \
    LOOM_PARTS(__vcmp##what##s##n, S, x op y ? -1 : 0) \
    LOOM_PARTS(__vcmp##what##u##n, U, x op y ? -1 : 0) \
    LOOM_PARTS(__vset##what##s##n, S, x op y)          \
    LOOM_PARTS(__vset##what##u##n, U, x op y)
#define LOOM_SIMD(n, S, U, most)                                   \
    LOOM_PART(__vabs##n, S, x < 0 ? -x : x)                        \
    LOOM_PART(__vabsss##n, S, loom_clamp(x < 0 ? -x : x, 0, most)) \
    LOOM_PART(__vneg##n, S, -x)                                    \
    LOOM_PART(__vnegss##n, S, loom_clamp(-x, -most - 1, most))     \
    LOOM_PARTS(__vadd##n, S, x + y)                                \
    LOOM_PARTS(__vaddss##n, S, loom_clamp(x + y, -most - 1, most)) \
    LOOM_PARTS(__vaddus##n, U, loom_clamp(x + y, 0, 2 * most + 1)) \
    LOOM_PARTS(__vsub##n, S, x - y)                                \
    LOOM_PARTS(__vsubss##n, S, loom_clamp(x - y, -most - 1, most)) \
    LOOM_PARTS(__vsubus##n, U, loom_clamp(x - y, 0, 2 * most + 1)) \
    LOOM_PARTS(__vavgs##n, S, (x + y + (x + y >= 0)) >> 1)         \
    LOOM_PARTS(__vavgu##n, U, (x + y + 1) >> 1)                    \
    LOOM_PARTS(__vhaddu##n, U, (x + y) >> 1)                       \
    LOOM_PARTS(__vmaxs##n, S, x > y ? x : y)                       \
    LOOM_PARTS(__vmaxu##n, U, x > y ? x : y)                       \
    LOOM_PARTS(__vmins##n, S, x < y ? x : y)                       \
    LOOM_PARTS(__vminu##n, U, x < y ? x : y)                       \
    LOOM_PARTS(__vabsdiffs##n, S, x > y ? x - y : y - x)           \
    LOOM_PARTS(__vabsdiffu##n, U, x > y ? x - y : y - x)           \
    LOOM_PARTS(__vcmpeq##n, U, x == y ? -1 : 0)                    \
    LOOM_PARTS(__vcmpne##n, U, x != y ? -1 : 0)                    \
    LOOM_PARTS(__vseteq##n, U, x == y)                             \
    LOOM_PARTS(__vsetne##n, U, x != y)                             \
    LOOM_COMPARED(n, S, U, ge, >=)                                 \
    LOOM_COMPARED(n, S, U, gt, >)                                  \
    LOOM_COMPARED(n, S, U, le, <=)                                 \
    LOOM_COMPARED(n, S, U, lt, <)                                  \
    LOOM_FUNCTION(loom_u32, __vsads##n, (loom_u32 a, loom_u32 b),  \
                  loom_sum<U>(__vabsdiffs##n(a, b)))               \
    LOOM_FUNCTION(loom_u32, __vsadu##n, (loom_u32 a, loom_u32 b),  \
                  loom_sum<U>(__vabsdiffu##n(a, b)))
template <class T>
static inline loom_u32 loom_sum(loom_u32 a)
{
    loom_u32 sum = 0;

    for (unsigned i = 0; i < 4 / sizeof(T); i++)
        sum += (T)(a >> 8 * sizeof(T) * i);
    return sum;
}
LOOM_SIMD(2, short, unsigned short, 0x7fff)
LOOM_SIMD(4, loom_s8, loom_u8, 0x7f)

/* compute for dynamic programming */
/* The instructions for dynamic programming, of one word or of two halves. */
LOOM_FUNCTION(int, __vimax3_s32, (int a, int b, int c), max(max(a, b), c))
LOOM_FUNCTION(int, __vimin3_s32, (int a, int b, int c), min(min(a, b), c))
LOOM_FUNCTION(loom_u32, __vimax3_u32, (loom_u32 a, loom_u32 b, loom_u32 c),
              max(max(a, b), c))
LOOM_FUNCTION(loom_u32, __vimin3_u32, (loom_u32 a, loom_u32 b, loom_u32 c),
              min(min(a, b), c))
LOOM_FUNCTION(int, __vimax3_s32_relu, (int a, int b, int c),
              max(max(max(a, b), c), 0))
LOOM_FUNCTION(int, __vimin3_s32_relu, (int a, int b, int c),
              max(min(min(a, b), c), 0))
LOOM_FUNCTION(int, __vimax_s32_relu, (int a, int b), max(max(a, b), 0))
LOOM_FUNCTION(int, __vimin_s32_relu, (int a, int b), max(min(a, b), 0))
LOOM_FUNCTION(int, __viaddmax_s32, (int a, int b, int c),
              max((int)((loom_u32)a + (loom_u32)b), c))
LOOM_FUNCTION(int, __viaddmin_s32, (int a, int b, int c),
              min((int)((loom_u32)a + (loom_u32)b), c))
LOOM_FUNCTION(loom_u32, __viaddmax_u32, (loom_u32 a, loom_u32 b, loom_u32 c),
              max(a + b, c))
LOOM_FUNCTION(loom_u32, __viaddmin_u32, (loom_u32 a, loom_u32 b, loom_u32 c),
              min(a + b, c))
LOOM_FUNCTION(int, __viaddmax_s32_relu, (int a, int b, int c),
              max(__viaddmax_s32(a, b, c), 0))
LOOM_FUNCTION(int, __viaddmin_s32_relu, (int a, int b, int c),
              max(__viaddmin_s32(a, b, c), 0))
LOOM_FUNCTION(loom_u32, __vimax3_s16x2, (loom_u32 a, loom_u32 b, loom_u32 c),
              __vmaxs2(__vmaxs2(a, b), c))
LOOM_FUNCTION(loom_u32, __vimin3_s16x2, (loom_u32 a, loom_u32 b, loom_u32 c),
              __vmins2(__vmins2(a, b), c))
LOOM_FUNCTION(loom_u32, __viaddmax_s16x2, (loom_u32 a, loom_u32 b, loom_u32 c),
              __vmaxs2(__vadd2(a, b), c))
LOOM_FUNCTION(loom_u32, __viaddmin_s16x2, (loom_u32 a, loom_u32 b, loom_u32 c),
              __vmins2(__vadd2(a, b), c))

/* round as asked */
/* While it lives, this OS thread rounds as mode says. */
struct loom_rounding_mode {
#ifdef __x86_64__
    unsigned old = __builtin_ia32_stmxcsr();

    loom_rounding_mode(int mode)
    {
        __builtin_ia32_ldmxcsr((old & ~0x6000u) | (unsigned)mode << 3);
    }
    ~loom_rounding_mode()
    {
        __builtin_ia32_ldmxcsr(old);
    }
#else
    int old = fegetround();

    loom_rounding_mode(int mode)
    {
        fesetround(mode);
    }
    ~loom_rounding_mode()
    {
        fesetround(old);
    }
#endif
};

/* evaluate in one direction */
/* Evaluates f in one direction of rounding. The operands are volatile, so that
   no compiler works it out beforehand. */
template <class T, class F>
static inline T loom_rounding(int mode, F f, T a, T b = 0, T c = 0)
{
    volatile T x = a, y = b, z = c, r;
    loom_rounding_mode as(mode);

    r = f(x, y, z);
    return r;
}

/* A processor with no such instruction computes it in the old registers. */
template <class T, class F>
static inline T loom_fma(F f, T x, T y, T z)
{
#ifdef __x86_64__
    if (!__builtin_cpu_supports("fma")) {
        T r;

        fesetround((int)(__builtin_ia32_stmxcsr() >> 3 & 0xc00));
        r = f(x, y, z);
        fesetround(FE_TONEAREST);
        return r;
    }
#endif
    return f(x, y, z);
}

/* name the three directions */
#define LOOM_COMMA(...) __VA_ARGS__
#define LOOM_DIRECTED(T, name, parameters, args, value) \
    static inline T name##_rz parameters                \
    {                                                   \
        return loom_rounding<T>(                        \
            FE_TOWARDZERO,                              \
            [](T x, T y, T z) -> T {                    \
                (void)y, (void)z;                       \
                return value;                           \
            },                                          \
            LOOM_COMMA args);                           \
    }                                                   \
    static inline T name##_ru parameters                \
    {                                                   \
        return loom_rounding<T>(                        \
            FE_UPWARD,                                  \
            [](T x, T y, T z) -> T {                    \
                (void)y, (void)z;                       \
                return value;                           \
            },                                          \
            LOOM_COMMA args);                           \
    }                                                   \
    static inline T name##_rd parameters                \
    {                                                   \
        return loom_rounding<T>(                        \
            FE_DOWNWARD,                                \
            [](T x, T y, T z) -> T {                    \
                (void)y, (void)z;                       \
                return value;                           \
            },                                          \
            LOOM_COMMA args);                           \
    }

/* round sums and products */
LOOM_DIRECTED(float, __fadd, (float a, float b), (a, b), x + y)
LOOM_DIRECTED(float, __fsub, (float a, float b), (a, b), x - y)
LOOM_DIRECTED(float, __fmul, (float a, float b), (a, b), x *y)
LOOM_DIRECTED(float, __fdiv, (float a, float b), (a, b), x / y)
LOOM_DIRECTED(float, __frcp, (float a), (a), 1 / x)
LOOM_DIRECTED(float, __fsqrt, (float a), (a), sqrtf(x))
LOOM_DIRECTED(float, __fmaf, (float a, float b, float c), (a, b, c),
              loom_fma(::fmaf, x, y, z))
LOOM_DIRECTED(double, __dadd, (double a, double b), (a, b), x + y)
LOOM_DIRECTED(double, __dsub, (double a, double b), (a, b), x - y)
LOOM_DIRECTED(double, __dmul, (double a, double b), (a, b), x *y)
LOOM_DIRECTED(double, __ddiv, (double a, double b), (a, b), x / y)
LOOM_DIRECTED(double, __drcp, (double a), (a), 1 / x)
LOOM_DIRECTED(double, __dsqrt, (double a), (a), sqrt(x))
LOOM_DIRECTED(double, __fma, (double a, double b, double c), (a, b, c),
              loom_fma((double (*)(double, double, double))::fma, x, y, z))
LOOM_ROUNDED(double, __dsub_rn, a - b)
LOOM_ROUNDED(double, __ddiv_rn, a / b)
LOOM_FUNCTION(double, __drcp_rn, (double x), 1.0 / x)
LOOM_FUNCTION(double, __dsqrt_rn, (double x), sqrt(x))
LOOM_FUNCTION(float, __frsqrt_rn, (float x), 1.0 / sqrt((double)x))

/* convert as asked */
/* To the nearest, toward zero, down, up; what does not fit becomes the nearest that
   does, and what is no number zero. */
template <class To, class From>
static inline To loom_to_integer(From x)
{
    typedef std::numeric_limits<To> range;

    if (x != x)
        return sizeof(From) == 8 || sizeof(To) == 8
                   ? (To)(UINT64_C(1) << (8 * sizeof(To) - 1))
                   : 0;
    if (x <= (From)range::min())
        return range::min();
    if (x >= (From)range::max())
        return range::max();
    return (To)x;
}
#define LOOM_TO_INTEGER(From, from, To, to)                  \
    LOOM_FUNCTION(To, __##from##2##to##_rn, (From x),        \
                  (loom_to_integer<To, From>(nearbyint(x)))) \
    LOOM_FUNCTION(To, __##from##2##to##_rz, (From x),        \
                  (loom_to_integer<To, From>(trunc(x))))     \
    LOOM_FUNCTION(To, __##from##2##to##_rd, (From x),        \
                  (loom_to_integer<To, From>(floor(x))))     \
    LOOM_FUNCTION(To, __##from##2##to##_ru, (From x),        \
                  (loom_to_integer<To, From>(ceil(x))))
LOOM_TO_INTEGER(float, float, int, int)
LOOM_TO_INTEGER(float, float, loom_u32, uint)
LOOM_TO_INTEGER(float, float, long long, ll)
LOOM_TO_INTEGER(float, float, loom_u64, ull)
LOOM_TO_INTEGER(double, double, int, int)
LOOM_TO_INTEGER(double, double, loom_u32, uint)
LOOM_TO_INTEGER(double, double, long long, ll)
LOOM_TO_INTEGER(double, double, loom_u64, ull)

/* convert to floats as asked */
template <class To, class From>
static inline To loom_narrow(int mode, From x)
{
    volatile From v = x;
    volatile To r;
    loom_rounding_mode as(mode);

    r = (To)v;
    return r;
}
#define LOOM_NARROW(From, from, To, to)                      \
    LOOM_FUNCTION(To, __##from##2##to##_rn, (From x), x)     \
    LOOM_FUNCTION(To, __##from##2##to##_rz, (From x),        \
                  (loom_narrow<To, From>(FE_TOWARDZERO, x))) \
    LOOM_FUNCTION(To, __##from##2##to##_ru, (From x),        \
                  (loom_narrow<To, From>(FE_UPWARD, x)))     \
    LOOM_FUNCTION(To, __##from##2##to##_rd, (From x),        \
                  (loom_narrow<To, From>(FE_DOWNWARD, x)))
LOOM_NARROW(int, int, float, float)
LOOM_NARROW(loom_u32, uint, float, float)
LOOM_NARROW(long long, ll, float, float)
LOOM_NARROW(loom_u64, ull, float, float)
LOOM_NARROW(double, double, float, float)
LOOM_NARROW(long long, ll, double, double)
LOOM_NARROW(loom_u64, ull, double, double)
LOOM_FUNCTION(double, __int2double_rn, (int x), x)
LOOM_FUNCTION(double, __uint2double_rn, (loom_u32 x), x)
LOOM_FUNCTION(int, __double2hiint, (double x),
              (loom_u64)__double_as_longlong(x) >> 32)
LOOM_FUNCTION(int, __double2loint, (double x),
              (loom_u64)__double_as_longlong(x))
LOOM_FUNCTION(double, __hiloint2double, (int high, int low),
              __longlong_as_double((long long)((loom_u64)(loom_u32)high << 32 |
                                               (loom_u32)low)))

/* call the rest of mathematics */
#define LOOM_BOTH(name, parameters, single, twice)           \
    LOOM_FUNCTION(float, name##f, parameters(float), single) \
    LOOM_FUNCTION(double, name, parameters(double), twice)
#define LOOM_X(T) (T x)
#define LOOM_XY(T) (T x, T y)
#define LOOM_XYZ(T) (T x, T y, T z)
#define LOOM_ABCD(T) (T a, T b, T c, T d)
#define LOOM_ARRAY(T) (int n, const T *x)
LOOM_BOTH(rcbrt, LOOM_X, 1 / cbrtf(x), 1 / cbrt(x))
LOOM_BOTH(sinpi, LOOM_X, sin(M_PI *fmod(x, 2.0)), sin(M_PI *fmod(x, 2.0)))
LOOM_BOTH(cospi, LOOM_X, cos(M_PI *fmod(x, 2.0)), cos(M_PI *fmod(x, 2.0)))
LOOM_BOTH(rhypot, LOOM_XY, 1 / hypotf(x, y), 1 / hypot(x, y))
LOOM_BOTH(norm3d, LOOM_XYZ, sqrt((double)x *x + (double)y * y + (double)z * z),
          sqrt(x *x + y * y + z * z))
LOOM_BOTH(rnorm3d, LOOM_XYZ,
          1 / sqrt((double)x * x + (double)y * y + (double)z * z),
          1 / sqrt(x * x + y * y + z * z))
LOOM_BOTH(normcdf, LOOM_X, 0.5 * erfc(-(double)x * M_SQRT1_2),
          0.5 * erfc(-x * M_SQRT1_2))
LOOM_FUNCTION(double, erfcx, (double x),
              x < 26 ? exp(x * x) * erfc(x) : 0.5641895835477563 / x)
LOOM_FUNCTION(float, erfcxf, (float x), erfcx((double)x))

/* invert the error function */
static inline double loom_erf_guess(double log_of) /* log(1 - erf^2) */
{
    double t = 2 / (M_PI * 0.147) + log_of / 2;

    return sqrt(sqrt(t * t - log_of / 0.147) - t);
}
static inline double loom_erfcinv(double y)
{
    double x, l = log(y);

    if (!(y > 0 && y < 2))
        return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
    if (y > 1)
        return -loom_erfcinv(2 - y);
    x = loom_erf_guess(l + log(2 - y));
    for (int i = 0; i < 3; i++) {
        double miss = y > 0.5 ? (1 - y) - erf(x) : erfc(x) - y;
        double step = miss / y * exp(x * x + l) / M_2_SQRTPI;

        x += step / (1 - x * step);
    }
    return x;
}
static inline double loom_erfinv(double x)
{
    double t;

    if (fabs(x) > 0.5)
        return x < 0 ? -loom_erfcinv(1 + x) : loom_erfcinv(1 - x);
    t = copysign(loom_erf_guess(log1p(-x * x)), x);
    for (int i = 0; i < 3; i++) {
        double step = (x - erf(t)) * exp(t * t) / M_2_SQRTPI;

        t += step / (1 - t * step);
    }
    return t;
}

/* The modified Bessel function of order 0 or 1: its series. */
static inline double loom_bessel_i(int order, double x)
{
    double term = order ? x / 2 : 1, sum = term;

    for (int k = 1; fabs(term) > 1e-17 * fabs(sum); k++)
        sum += term *= x * x / 4 / k / (k + order);
    return sum;
}
template <class T>
static inline double loom_norm(int n, const T *x)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum = hypot(sum, (double)x[i]);
    return sum;
}
LOOM_BOTH(erfcinv, LOOM_X, loom_erfcinv(x), loom_erfcinv(x))
LOOM_BOTH(erfinv, LOOM_X, loom_erfinv(x), loom_erfinv(x))
LOOM_BOTH(normcdfinv, LOOM_X, -M_SQRT2 *loom_erfcinv(2 * (double)x),
          -M_SQRT2 *loom_erfcinv(2 * x))
LOOM_BOTH(cyl_bessel_i0, LOOM_X, loom_bessel_i(0, x), loom_bessel_i(0, x))
LOOM_BOTH(cyl_bessel_i1, LOOM_X, loom_bessel_i(1, x), loom_bessel_i(1, x))
LOOM_BOTH(norm, LOOM_ARRAY, loom_norm(n, x), loom_norm(n, x))
LOOM_BOTH(rnorm, LOOM_ARRAY, 1 / loom_norm(n, x), 1 / loom_norm(n, x))
LOOM_BOTH(norm4d, LOOM_ABCD, hypot(hypot(a, b), hypot(c, d)),
          hypot(hypot(a, b), hypot(c, d)))
LOOM_BOTH(rnorm4d, LOOM_ABCD, 1 / hypot(hypot(a, b), hypot(c, d)),
          1 / hypot(hypot(a, b), hypot(c, d)))
LOOM_FUNCTION(float, fdividef, (float x, float y), x / y)
static inline void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
static inline void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
#define __sincosf(x, s, c) sincosf(x, s, c)

/* ask about addresses */
LOOM_FUNCTION(size_t, __cvta_generic_to_shared, (const void *p),
              loom_to_shared(p))
LOOM_FUNCTION(size_t, __cvta_generic_to_global, (const void *p), p)
LOOM_FUNCTION(size_t, __cvta_generic_to_local, (const void *p), p)
LOOM_FUNCTION(size_t, __cvta_generic_to_constant, (const void *p), p)
LOOM_FUNCTION(void *, __cvta_shared_to_generic, (size_t p),
              loom_from_shared((loom_u32)p))
LOOM_FUNCTION(void *, __cvta_global_to_generic, (size_t p), p)
LOOM_FUNCTION(loom_u32, __isShared, (const void *p),
              loom_to_shared(p) < 1u << 24)
LOOM_FUNCTION(loom_u32, __isClusterShared, (const void *p),
              loom_to_shared(p) != 0xffffffff)
LOOM_FUNCTION(loom_u32, __isGlobal, (const void *p),
              loom_to_shared(p) == 0xffffffff)
LOOM_FUNCTION(loom_u32, __clusterRelativeBlockRank, (), loom_cluster_rank())
LOOM_FUNCTION(loom_u32, __clusterSizeInBlocks, (), loom_cluster_size())
LOOM_FUNCTION(void, __cluster_barrier_arrive, (LOOM_HERE),
              loom_cluster_arrive(file, line))
LOOM_FUNCTION(void, __cluster_barrier_wait, (LOOM_HERE),
              loom_cluster_wait(file, line))
LOOM_FUNCTION(void *, __cluster_map_shared_rank,
              (const void *p, loom_u32 rank, LOOM_HERE),
              loom_map(p, rank, file, line))
LOOM_FUNCTION(loom_u32, __cluster_query_shared_rank, (const void *p),
              loom_rank_of(p))
#define __ldca(...) (*(__VA_ARGS__))
#define __ldlu(...) (*(__VA_ARGS__))
#define __ldcv(...) (*(__VA_ARGS__))
#define __stwb(p, ...) ((void)(*(p) = (__VA_ARGS__)))
#define __stwt(p, ...) ((void)(*(p) = (__VA_ARGS__)))
#define __builtin_assume(x) ((void)0)
#define __prof_trigger(n) ((void)0)
#define __brkpt() loom_trap()
#endif

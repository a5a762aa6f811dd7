/* device_functions.h: CUDA's functions for kernels, as far as Loom goes.
   Included by cuda_runtime.h. */
#ifndef LOOM_DEVICE_FUNCTIONS_H
#define LOOM_DEVICE_FUNCTIONS_H

/* choose the smaller and the larger */
#define LOOM_FUNCTION(R, name, parameters, value) \
    static inline R name parameters               \
    {                                             \
        return (R)(value);                        \
    }
#define LOOM_MIN_MAX(R, A, B)                                    \
    LOOM_FUNCTION(R, min, (A a, B b), (R)a < (R)b ? (R)a : (R)b) \
    LOOM_FUNCTION(R, max, (A a, B b), (R)a > (R)b ? (R)a : (R)b)
typedef unsigned int loom_u32;
typedef unsigned long long loom_u64;
LOOM_MIN_MAX(int, int, int)
LOOM_MIN_MAX(loom_u32, loom_u32, loom_u32)
LOOM_MIN_MAX(loom_u32, int, loom_u32)
LOOM_MIN_MAX(loom_u32, loom_u32, int)
LOOM_MIN_MAX(long, long, long)
LOOM_MIN_MAX(unsigned long, unsigned long, unsigned long)
LOOM_MIN_MAX(long long, long long, long long)
LOOM_MIN_MAX(loom_u64, loom_u64, loom_u64)
LOOM_FUNCTION(float, min, (float a, float b), fminf(a, b))
LOOM_FUNCTION(float, max, (float a, float b), fmaxf(a, b))
LOOM_FUNCTION(double, min, (double a, double b), fmin(a, b))
LOOM_FUNCTION(double, max, (double a, double b), fmax(a, b))

/* count and move bits */
LOOM_FUNCTION(int, __popc, (loom_u32 x), __builtin_popcount(x))
LOOM_FUNCTION(int, __popcll, (loom_u64 x), __builtin_popcountll(x))
LOOM_FUNCTION(int, __clz, (int x), x ? __builtin_clz((loom_u32)x) : 32)
LOOM_FUNCTION(int, __clzll, (long long x),
              x ? __builtin_clzll((loom_u64)x) : 64)
LOOM_FUNCTION(int, __ffs, (int x), __builtin_ffs(x))
LOOM_FUNCTION(int, __ffsll, (long long x), __builtin_ffsll(x))
LOOM_FUNCTION(int, __mulhi, (int a, int b), ((long long)a * b) >> 32)
LOOM_FUNCTION(
    int, __mul24, (int a, int b),
    (int)((long long)(int)((loom_u32)a << 8) * (int)((loom_u32)b << 8) >> 16))
LOOM_FUNCTION(loom_u32, __umulhi, (loom_u32 a, loom_u32 b),
              ((loom_u64)a * b) >> 32)
LOOM_FUNCTION(loom_u64, __umul64hi, (loom_u64 a, loom_u64 b),
              ((unsigned __int128)a * b) >> 64)

LOOM_FUNCTION(loom_u32, __funnelshift_l,
              (loom_u32 low, loom_u32 high, loom_u32 by),
              ((loom_u64)high << 32 | low) << (by & 31) >> 32)
LOOM_FUNCTION(loom_u32, __funnelshift_r,
              (loom_u32 low, loom_u32 high, loom_u32 by),
              ((loom_u64)high << 32 | low) >> (by & 31))
static inline unsigned int __brev(unsigned int x)
{
    unsigned int r = 0;

    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
    return r;
}

/* Each digit of `which` picks one of the 8 bytes of y and x. */
static inline unsigned int __byte_perm(unsigned int x, unsigned int y,
                                       unsigned int which)
{
    loom_u64 all = (loom_u64)y << 32 | x;
    unsigned int r = 0;

    for (int i = 0; i < 32; i += 8)
        r |= (unsigned int)(all >> 8 * (which >> i / 2 & 7) & 255) << i;
    return r;
}

/* compute with floats as the hardware does */
/* volatile keeps the compiler from fusing this with a neighbor */
#define LOOM_ROUNDED(T, name, value) \
    static inline T name(T a, T b)   \
    {                                \
        volatile T r = value;        \
        return r;                    \
    }
LOOM_ROUNDED(float, __fadd_rn, a + b)
LOOM_ROUNDED(float, __fsub_rn, a - b)
LOOM_ROUNDED(float, __fmul_rn, a *b)
LOOM_ROUNDED(float, __fdiv_rn, a / b)
LOOM_ROUNDED(double, __dadd_rn, a + b)
LOOM_ROUNDED(double, __dmul_rn, a *b)
LOOM_FUNCTION(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
LOOM_FUNCTION(double, __fma_rn, (double a, double b, double c), fma(a, b, c))
LOOM_FUNCTION(float, __fsqrt_rn, (float x), sqrtf(x))
LOOM_FUNCTION(float, __frcp_rn, (float x), 1.0f / x)
LOOM_FUNCTION(float, rsqrtf, (float x), 1.0f / sqrtf(x))
LOOM_FUNCTION(double, rsqrt, (double x), 1.0 / sqrt(x))
LOOM_FUNCTION(float, __fdividef, (float a, float b), a / b)
LOOM_FUNCTION(float, __saturatef, (float x), x > 0 ? (x < 1 ? x : 1.0f) : 0.0f)
#define __expf(x) expf(x)
#define __exp10f(x) powf(10.0f, x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)

/* convert between numbers and bits */
#define LOOM_BITS(To, name, From) \
    static inline To name(From x) \
    {                             \
        To r;                     \
        memcpy(&r, &x, sizeof r); \
        return r;                 \
    }
LOOM_BITS(int, __float_as_int, float)
LOOM_BITS(unsigned int, __float_as_uint, float)
LOOM_BITS(float, __int_as_float, int)
LOOM_BITS(float, __uint_as_float, unsigned int)
LOOM_BITS(long long, __double_as_longlong, double)
LOOM_BITS(double, __longlong_as_double, long long)

#include "loom/block.h"
#include "loom/warp.h"
#include "loom/watch.h"

/* tell the hooks */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LOOM_CHECKED 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define LOOM_CHECKED 1
#endif
#ifdef LOOM_CHECKED
#define LOOM_TELL_ATOMIC(p, size, file, line) loom_atomic(p, size, file, line)
#define LOOM_TELL_FENCE(file, line)                                  \
    __asm__ volatile(".pushsection loom_fences, \"a\"\n"             \
                     ".byte 0\n.popsection"); /* there is a fence */ \
    loom_fence(file, line)
#else
#define LOOM_TELL_ATOMIC(p, size, file, line)
#define LOOM_TELL_FENCE(file, line) ((void)file, (void)line)
#endif

/* declare barriers and warp operations */
#if __cplusplus >= 202002L && !defined(__clang__)
#include <source_location>
#endif

/* tell the column of a call */
#if defined(__clang__)
#define LOOM_COLUMN __builtin_COLUMN()
#elif __cplusplus >= 202002L
#define LOOM_COLUMN (int)std::source_location::current().column()
#else
namespace std
{
struct source_location {
    struct __impl {
        const char *_M_file_name, *_M_function_name;
        unsigned int _M_line, _M_column;
    };
};
} // namespace std
#define LOOM_COLUMN                                                          \
    (int)((const std::source_location::__impl *)__builtin_source_location()) \
        ->_M_column
#endif
#define LOOM_HERE \
    const char *file = __builtin_FILE(), int line = __builtin_LINE()

#define LOOM_BARRIER(R, name, vote, value)                                  \
    LOOM_FUNCTION(R, name, (int vote, LOOM_HERE, int column = LOOM_COLUMN), \
                  value)
LOOM_FUNCTION(void, __syncthreads, (LOOM_HERE, int column = LOOM_COLUMN),
              loom_syncthreads_at(file, line, column))
LOOM_BARRIER(int, __syncthreads_count, vote,
             loom_barrier_at(LOOM_BLOCK, vote != 0, file, line, column))
LOOM_BARRIER(int, __syncthreads_or, vote,
             loom_barrier_at(LOOM_BLOCK, vote != 0, file, line, column) != 0)
LOOM_BARRIER(int, __syncthreads_and, vote,
             loom_barrier_at(LOOM_BLOCK, vote == 0, file, line, column) == 0)
LOOM_FUNCTION(void, __syncwarp, (loom_u32 mask = ~0u, LOOM_HERE),
              loom_meet(LOOM_SYNC, mask, 0, 0, file, line))
LOOM_FUNCTION(loom_u32, __ballot_sync, (loom_u32 mask, int vote, LOOM_HERE),
              loom_meet(LOOM_BALLOT, mask, vote != 0, 0, file, line))
LOOM_FUNCTION(int, __any_sync, (loom_u32 mask, int vote, LOOM_HERE),
              loom_meet(LOOM_BALLOT, mask, vote != 0, 0, file, line) != 0)
LOOM_FUNCTION(int, __all_sync, (loom_u32 mask, int vote, LOOM_HERE),
              loom_meet(LOOM_BALLOT, mask, vote == 0, 0, file, line) == 0)
LOOM_FUNCTION(loom_u32, __activemask, (LOOM_HERE), loom_active(file, line))

/* declare the shuffles */
template <class T>
struct loom_is_half : std::false_type {
}; /* cuda_fp16.h and cuda_bf16.h say otherwise */

template <class T>
static inline T loom_shuffle(unsigned int mask, T value, unsigned int source,
                             const char *file, int line)
{
    uint64_t word = 0;

    static_assert(std::is_arithmetic<T>::value || loom_is_half<T>::value,
                  "Loom shuffles numbers of up to 8 bytes");
    memcpy(&word, &value, sizeof value);
    word = loom_meet(LOOM_SHUFFLE, mask, word, source, file, line);
    memcpy(&value, &word, sizeof value);
    return value;
}
extern "C" const __thread struct loom_index loom_here __asm__("threadIdx");
enum loom_way { LOOM_TO, LOOM_UP, LOOM_DOWN, LOOM_ACROSS };

static inline unsigned int loom_source(loom_way way, unsigned int by, int width)
{
    unsigned int lane = loom_here.number % 32, n = (unsigned int)width;
    unsigned int low = lane & ~(n - 1);

    by %= 32;
    switch (way) {
    case LOOM_TO:
        return low | (by & (n - 1));
    case LOOM_UP:
        return lane - by * (lane >= low + by);
    case LOOM_DOWN:
        return lane + by * (lane + by < low + n);
    default:
        return lane ^ by * ((lane ^ by) < low + n);
    }
}
#define LOOM_SHUFFLE_OF(name, T2, way)                                      \
    template <class T>                                                      \
    static inline T name(unsigned int mask, T value, T2 by, int width = 32, \
                         LOOM_HERE)                                         \
    {                                                                       \
        return loom_shuffle(mask, value, loom_source(way, by, width), file, \
                            line);                                          \
    }
LOOM_SHUFFLE_OF(__shfl_sync, int, LOOM_TO)
LOOM_SHUFFLE_OF(__shfl_up_sync, unsigned int, LOOM_UP)
LOOM_SHUFFLE_OF(__shfl_down_sync, unsigned int, LOOM_DOWN)
LOOM_SHUFFLE_OF(__shfl_xor_sync, int, LOOM_ACROSS)

/* declare matches and reductions */
template <class T>
static inline unsigned int __match_any_sync(unsigned int mask, T value,
                                            LOOM_HERE)
{
    uint64_t word = 0;

    static_assert(std::is_arithmetic<T>::value && sizeof value >= 4,
                  "Loom matches numbers of 4 or 8 bytes");
    memcpy(&word, &value, sizeof value);
    return (unsigned)loom_meet(LOOM_MATCH, mask, word, 0, file, line);
}
template <class T>
static inline unsigned int __match_all_sync(unsigned int mask, T value,
                                            int *all, LOOM_HERE)
{
    *all = __match_any_sync(mask, value, file, line) == mask;
    return *all ? mask : 0;
}
#define LOOM_REDUCE(name, T, op)                                \
    LOOM_FUNCTION(T, name, (loom_u32 mask, T value, LOOM_HERE), \
                  loom_meet(op, mask, (loom_u32)value, 0, file, line))
LOOM_REDUCE(__reduce_add_sync, int, LOOM_ADD)
LOOM_REDUCE(__reduce_add_sync, loom_u32, LOOM_ADD)
LOOM_REDUCE(__reduce_min_sync, int, LOOM_MIN)
LOOM_REDUCE(__reduce_min_sync, loom_u32, LOOM_MIN_UNSIGNED)
LOOM_REDUCE(__reduce_max_sync, int, LOOM_MAX)
LOOM_REDUCE(__reduce_max_sync, loom_u32, LOOM_MAX_UNSIGNED)
LOOM_REDUCE(__reduce_and_sync, loom_u32, LOOM_AND)
LOOM_REDUCE(__reduce_or_sync, loom_u32, LOOM_OR)
LOOM_REDUCE(__reduce_xor_sync, loom_u32, LOOM_XOR)

/* tell the time and the place */
LOOM_FUNCTION(unsigned long long, loom_globaltimer, (void), loom_nanoseconds())
LOOM_FUNCTION(long long, clock64, (void), loom_nanoseconds())
LOOM_FUNCTION(unsigned int, loom_smid, (void), loom_number())
LOOM_FUNCTION(unsigned int, loom_laneid, (void), loom_here.number % 32)

/* load through the read-only path, and trap */
#define __ldg(...) (*(__VA_ARGS__))
#define __ldcg(...) (*(__VA_ARGS__))
#define __ldcs(...) (*(__VA_ARGS__))
#define __stcg(p, ...) ((void)(*(p) = (__VA_ARGS__)))
#define __stcs(p, ...) ((void)(*(p) = (__VA_ARGS__)))

static inline void __trap(void)
{
    loom_trap();
}

#define LOOM_FENCE(name)                         \
    static inline void name(LOOM_HERE)           \
    {                                            \
        LOOM_TELL_FENCE(file, line);             \
        __atomic_thread_fence(__ATOMIC_SEQ_CST); \
    }
LOOM_FENCE(__threadfence)
LOOM_FENCE(__threadfence_block)
LOOM_FENCE(__threadfence_system)

static inline void __nanosleep(unsigned int, LOOM_HERE)
{
    loom_rest(file, line);
}

/* update memory atomically */
template <class T, class Update>
static inline T loom_update(T *p, Update update, const char *file, int line)
{
    T old, changed;

    LOOM_TELL_ATOMIC(p, sizeof *p, file, line);
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do {
        changed = update(old);
        if (memcmp(&old, &changed, sizeof old) == 0) {
            loom_look(p, file, line);
            return old;
        }
    } while (!__atomic_compare_exchange(p, &old, &changed, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
#define LOOM_ATOMIC_AS(name, T, value)                         \
    static inline T name(T *p, T v, LOOM_HERE)                 \
    {                                                          \
        return loom_update(                                    \
            p, [v](T old) { return (T)(value); }, file, line); \
    }
#define LOOM_ATOMIC(name, T, value)        \
    LOOM_ATOMIC_AS(name, T, value)         \
    LOOM_ATOMIC_AS(name##_block, T, value) \
    LOOM_ATOMIC_AS(name##_system, T, value)
#define LOOM_ATOMICS(T)                          \
    LOOM_ATOMIC(atomicAdd, T, old + (v + 0u))    \
    LOOM_ATOMIC(atomicExch, T, v)                \
    LOOM_ATOMIC(atomicMin, T, v < old ? v : old) \
    LOOM_ATOMIC(atomicMax, T, v > old ? v : old) \
    LOOM_ATOMIC(atomicAnd, T, old &v)            \
    LOOM_ATOMIC(atomicOr, T, old | v)            \
    LOOM_ATOMIC(atomicXor, T, old ^ v)
LOOM_ATOMICS(int)
LOOM_ATOMICS(unsigned int)
LOOM_ATOMICS(unsigned long long)
LOOM_ATOMIC(atomicMin, long long, v < old ? v : old)
LOOM_ATOMIC(atomicMax, long long, v > old ? v : old)
LOOM_ATOMIC(atomicAnd, long long, old &v)
LOOM_ATOMIC(atomicOr, long long, old | v)
LOOM_ATOMIC(atomicXor, long long, old ^ v)
LOOM_ATOMIC(atomicSub, int, old - (v + 0u))
LOOM_ATOMIC(atomicSub, unsigned int, old - v)
LOOM_ATOMIC(atomicAdd, float, old + v)
LOOM_ATOMIC(atomicAdd, double, old + v)
LOOM_ATOMIC(atomicExch, float, v)
LOOM_ATOMIC(atomicInc, unsigned int, old >= v ? 0 : old + 1)
LOOM_ATOMIC(atomicDec, unsigned int, old == 0 || old > v ? v : old - 1)
#define LOOM_CAS_AS(name, T)                                                   \
    static inline T name(T *p, T expected, T v, LOOM_HERE)                     \
    {                                                                          \
        T found = expected;                                                    \
                                                                               \
        LOOM_TELL_ATOMIC(p, sizeof *p, file, line);                            \
        if (!__atomic_compare_exchange(p, &found, &v, false, __ATOMIC_RELAXED, \
                                       __ATOMIC_RELAXED) ||                    \
            v == expected)                                                     \
            loom_look(p, file, line);                                          \
        return found;                                                          \
    }
#define LOOM_CAS(T)                 \
    LOOM_CAS_AS(atomicCAS, T)       \
    LOOM_CAS_AS(atomicCAS_block, T) \
    LOOM_CAS_AS(atomicCAS_system, T)
LOOM_CAS(int)
LOOM_CAS(unsigned int)
LOOM_CAS(unsigned long long)
LOOM_CAS(unsigned short)
static inline float2 atomicAdd(float2 *p, float2 v, LOOM_HERE)
{
    return make_float2(atomicAdd(&p->x, v.x, file, line),
                       atomicAdd(&p->y, v.y, file, line));
}
static inline float4 atomicAdd(float4 *p, float4 v, LOOM_HERE)
{
    return make_float4(
        atomicAdd(&p->x, v.x, file, line), atomicAdd(&p->y, v.y, file, line),
        atomicAdd(&p->z, v.z, file, line), atomicAdd(&p->w, v.w, file, line));
}

#include "loom/intrinsics.h"
#endif

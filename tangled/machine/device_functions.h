/* device_functions.h: CUDA's functions for kernels, as far as the machine goes.
   Included by cuda_runtime.h. */
#ifndef MACHINE_DEVICE_FUNCTIONS_H
#define MACHINE_DEVICE_FUNCTIONS_H

/* choose the smaller and the larger */
#define SIMT_FUNCTION(R, name, parameters, value) \
    static inline R name parameters               \
    {                                             \
        return (R)(value);                        \
    }
#define SIMT_MIN_MAX(R, A, B)                                    \
    SIMT_FUNCTION(R, min, (A a, B b), (R)a < (R)b ? (R)a : (R)b) \
    SIMT_FUNCTION(R, max, (A a, B b), (R)a > (R)b ? (R)a : (R)b)
typedef unsigned int simt_u32;
typedef unsigned long long simt_u64;
SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(simt_u32, simt_u32, simt_u32)
SIMT_MIN_MAX(simt_u32, int, simt_u32)
SIMT_MIN_MAX(simt_u32, simt_u32, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(simt_u64, simt_u64, simt_u64)
SIMT_FUNCTION(float, min, (float a, float b), fminf(a, b))
SIMT_FUNCTION(float, max, (float a, float b), fmaxf(a, b))
SIMT_FUNCTION(double, min, (double a, double b), fmin(a, b))
SIMT_FUNCTION(double, max, (double a, double b), fmax(a, b))

/* count and move bits */
SIMT_FUNCTION(int, __popc, (simt_u32 x), __builtin_popcount(x))
SIMT_FUNCTION(int, __popcll, (simt_u64 x), __builtin_popcountll(x))
SIMT_FUNCTION(int, __clz, (int x), x ? __builtin_clz((simt_u32)x) : 32)
SIMT_FUNCTION(int, __clzll, (long long x),
              x ? __builtin_clzll((simt_u64)x) : 64)
SIMT_FUNCTION(int, __ffs, (int x), __builtin_ffs(x))
SIMT_FUNCTION(int, __ffsll, (long long x), __builtin_ffsll(x))
SIMT_FUNCTION(int, __mulhi, (int a, int b), ((long long)a * b) >> 32)
SIMT_FUNCTION(simt_u32, __umulhi, (simt_u32 a, simt_u32 b),
              ((simt_u64)a * b) >> 32)
SIMT_FUNCTION(simt_u64, __umul64hi, (simt_u64 a, simt_u64 b),
              ((unsigned __int128)a * b) >> 64)

SIMT_FUNCTION(simt_u32, __funnelshift_l,
              (simt_u32 low, simt_u32 high, simt_u32 by),
              ((simt_u64)high << 32 | low) << (by & 31) >> 32)
SIMT_FUNCTION(simt_u32, __funnelshift_r,
              (simt_u32 low, simt_u32 high, simt_u32 by),
              ((simt_u64)high << 32 | low) >> (by & 31))
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
    simt_u64 all = (simt_u64)y << 32 | x;
    unsigned int r = 0;

    for (int i = 0; i < 32; i += 8)
        r |= (unsigned int)(all >> 8 * (which >> i / 2 & 7) & 255) << i;
    return r;
}

/* compute with floats as the hardware does */
/* volatile keeps the compiler from fusing this with a neighbour */
#define SIMT_ROUNDED(T, name, value) \
    static inline T name(T a, T b)   \
    {                                \
        volatile T r = value;        \
        return r;                    \
    }
SIMT_ROUNDED(float, __fadd_rn, a + b)
SIMT_ROUNDED(float, __fsub_rn, a - b)
SIMT_ROUNDED(float, __fmul_rn, a *b)
SIMT_ROUNDED(float, __fdiv_rn, a / b)
SIMT_ROUNDED(double, __dadd_rn, a + b)
SIMT_ROUNDED(double, __dmul_rn, a *b)
SIMT_FUNCTION(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
SIMT_FUNCTION(double, __fma_rn, (double a, double b, double c), fma(a, b, c))
SIMT_FUNCTION(float, __fsqrt_rn, (float x), sqrtf(x))
SIMT_FUNCTION(float, __frcp_rn, (float x), 1.0f / x)
SIMT_FUNCTION(float, rsqrtf, (float x), 1.0f / sqrtf(x))
SIMT_FUNCTION(double, rsqrt, (double x), 1.0 / sqrt(x))
SIMT_FUNCTION(float, __fdividef, (float a, float b), a / b)
SIMT_FUNCTION(float, __saturatef, (float x), x > 0 ? (x < 1 ? x : 1.0f) : 0.0f)
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
#define SIMT_BITS(To, name, From) \
    static inline To name(From x) \
    {                             \
        To r;                     \
        memcpy(&r, &x, sizeof r); \
        return r;                 \
    }
SIMT_BITS(int, __float_as_int, float)
SIMT_BITS(unsigned int, __float_as_uint, float)
SIMT_BITS(float, __int_as_float, int)
SIMT_BITS(float, __uint_as_float, unsigned int)
SIMT_BITS(long long, __double_as_longlong, double)
SIMT_BITS(double, __longlong_as_double, long long)
SIMT_FUNCTION(int, __float2int_rn, (float x), lrintf(x))
SIMT_FUNCTION(int, __float2int_rz, (float x), truncf(x))
SIMT_FUNCTION(int, __float2int_rd, (float x), floorf(x))
SIMT_FUNCTION(int, __float2int_ru, (float x), ceilf(x))
SIMT_FUNCTION(float, __int2float_rn, (int x), x)
SIMT_FUNCTION(float, __uint2float_rn, (unsigned int x), x)

#include "machine/block.h"
#include "machine/warp.h"
#include "machine/watch.h"

/* tell the hooks */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIMT_CHECKED 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define SIMT_CHECKED 1
#endif
#ifdef SIMT_CHECKED
#define SIMT_TELL_ATOMIC(p, size, file, line) simt_atomic(p, size, file, line)
#define SIMT_TELL_FENCE(file, line) simt_fence(file, line)
#else
#define SIMT_TELL_ATOMIC(p, size, file, line)
#define SIMT_TELL_FENCE(file, line) ((void)file, (void)line)
#endif

/* declare barriers and warp operations */
#define SIMT_HERE \
    const char *file = __builtin_FILE(), int line = __builtin_LINE()

SIMT_FUNCTION(void, __syncthreads, (SIMT_HERE), simt_syncthreads(file, line))
SIMT_FUNCTION(int, __syncthreads_count, (int vote, SIMT_HERE),
              simt_barrier(SIMT_BLOCK, vote != 0, file, line))
SIMT_FUNCTION(int, __syncthreads_or, (int vote, SIMT_HERE),
              simt_barrier(SIMT_BLOCK, vote != 0, file, line) != 0)
SIMT_FUNCTION(int, __syncthreads_and, (int vote, SIMT_HERE),
              simt_barrier(SIMT_BLOCK, vote == 0, file, line) == 0)
SIMT_FUNCTION(void, __syncwarp, (simt_u32 mask = ~0u, SIMT_HERE),
              simt_meet(SIMT_SYNC, mask, 0, 0, file, line))
SIMT_FUNCTION(simt_u32, __ballot_sync, (simt_u32 mask, int vote, SIMT_HERE),
              simt_meet(SIMT_BALLOT, mask, vote != 0, 0, file, line))
SIMT_FUNCTION(int, __any_sync, (simt_u32 mask, int vote, SIMT_HERE),
              simt_meet(SIMT_BALLOT, mask, vote != 0, 0, file, line) != 0)
SIMT_FUNCTION(int, __all_sync, (simt_u32 mask, int vote, SIMT_HERE),
              simt_meet(SIMT_BALLOT, mask, vote == 0, 0, file, line) == 0)
SIMT_FUNCTION(simt_u32, __activemask, (SIMT_HERE), simt_active(file, line))

/* declare the shuffles */
template <class T>
struct simt_is_half : std::false_type {
}; /* cuda_fp16.h and cuda_bf16.h say otherwise */

template <class T>
static inline T simt_shuffle(unsigned int mask, T value, unsigned int source,
                             const char *file, int line)
{
    uint64_t word = 0;

    static_assert(std::is_arithmetic<T>::value || simt_is_half<T>::value,
                  "the machine shuffles numbers of up to 8 bytes");
    memcpy(&word, &value, sizeof value);
    word = simt_meet(SIMT_SHUFFLE, mask, word, source, file, line);
    memcpy(&value, &word, sizeof value);
    return value;
}
extern "C" const __thread struct simt_index simt_here __asm__("threadIdx");
enum simt_way { SIMT_TO, SIMT_UP, SIMT_DOWN, SIMT_ACROSS };

static inline unsigned int simt_source(simt_way way, unsigned int by, int width)
{
    unsigned int lane = simt_here.number % 32, n = (unsigned int)width;
    unsigned int low = lane & ~(n - 1);

    by %= 32;
    switch (way) {
    case SIMT_TO:
        return low | (by & (n - 1));
    case SIMT_UP:
        return lane - by * (lane >= low + by);
    case SIMT_DOWN:
        return lane + by * (lane + by < low + n);
    default:
        return lane ^ by * ((lane ^ by) < low + n);
    }
}
#define SIMT_SHUFFLE_OF(name, T2, way)                                      \
    template <class T>                                                      \
    static inline T name(unsigned int mask, T value, T2 by, int width = 32, \
                         SIMT_HERE)                                         \
    {                                                                       \
        return simt_shuffle(mask, value, simt_source(way, by, width), file, \
                            line);                                          \
    }
SIMT_SHUFFLE_OF(__shfl_sync, int, SIMT_TO)
SIMT_SHUFFLE_OF(__shfl_up_sync, unsigned int, SIMT_UP)
SIMT_SHUFFLE_OF(__shfl_down_sync, unsigned int, SIMT_DOWN)
SIMT_SHUFFLE_OF(__shfl_xor_sync, int, SIMT_ACROSS)

/* declare matches and reductions */
template <class T>
static inline unsigned int __match_any_sync(unsigned int mask, T value,
                                            SIMT_HERE)
{
    uint64_t word = 0;

    static_assert(std::is_arithmetic<T>::value && sizeof value >= 4,
                  "the machine matches numbers of 4 or 8 bytes");
    memcpy(&word, &value, sizeof value);
    return (unsigned)simt_meet(SIMT_MATCH, mask, word, 0, file, line);
}
template <class T>
static inline unsigned int __match_all_sync(unsigned int mask, T value,
                                            int *all, SIMT_HERE)
{
    *all = __match_any_sync(mask, value, file, line) == mask;
    return *all ? mask : 0;
}
#define SIMT_REDUCE(name, T, op)                                \
    SIMT_FUNCTION(T, name, (simt_u32 mask, T value, SIMT_HERE), \
                  simt_meet(op, mask, (simt_u32)value, 0, file, line))
SIMT_REDUCE(__reduce_add_sync, int, SIMT_ADD)
SIMT_REDUCE(__reduce_add_sync, simt_u32, SIMT_ADD)
SIMT_REDUCE(__reduce_min_sync, int, SIMT_MIN)
SIMT_REDUCE(__reduce_min_sync, simt_u32, SIMT_MIN_UNSIGNED)
SIMT_REDUCE(__reduce_max_sync, int, SIMT_MAX)
SIMT_REDUCE(__reduce_max_sync, simt_u32, SIMT_MAX_UNSIGNED)
SIMT_REDUCE(__reduce_and_sync, simt_u32, SIMT_AND)
SIMT_REDUCE(__reduce_or_sync, simt_u32, SIMT_OR)
SIMT_REDUCE(__reduce_xor_sync, simt_u32, SIMT_XOR)

/* tell the time and the place */
SIMT_FUNCTION(unsigned long long, simt_globaltimer, (void), simt_nanoseconds())
SIMT_FUNCTION(long long, clock64, (void), simt_nanoseconds())
SIMT_FUNCTION(unsigned int, simt_smid, (void), simt_number())
SIMT_FUNCTION(unsigned int, simt_laneid, (void), simt_here.number % 32)

/* load through the read-only path, and trap */
#define __ldg(...) (*(__VA_ARGS__))
#define __ldcg(...) (*(__VA_ARGS__))
#define __ldcs(...) (*(__VA_ARGS__))
#define __stcg(p, ...) ((void)(*(p) = (__VA_ARGS__)))
#define __stcs(p, ...) ((void)(*(p) = (__VA_ARGS__)))

static inline void __trap(void)
{
    simt_trap();
}

#define SIMT_FENCE(name)                         \
    static inline void name(SIMT_HERE)           \
    {                                            \
        SIMT_TELL_FENCE(file, line);             \
        __atomic_thread_fence(__ATOMIC_SEQ_CST); \
    }
SIMT_FENCE(__threadfence)
SIMT_FENCE(__threadfence_block)
SIMT_FENCE(__threadfence_system)

static inline void __nanosleep(unsigned int, SIMT_HERE)
{
    simt_rest(file, line);
}

/* update memory atomically */
template <class T, class Update>
static inline T simt_update(T *p, Update update, const char *file, int line)
{
    T old, changed;

    SIMT_TELL_ATOMIC(p, sizeof *p, file, line);
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do {
        changed = update(old);
        if (memcmp(&old, &changed, sizeof old) == 0) {
            simt_look(p, file, line);
            return old;
        }
    } while (!__atomic_compare_exchange(p, &old, &changed, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
#define SIMT_ATOMIC_AS(name, T, value)                         \
    static inline T name(T *p, T v, SIMT_HERE)                 \
    {                                                          \
        return simt_update(                                    \
            p, [v](T old) { return (T)(value); }, file, line); \
    }
#define SIMT_ATOMIC(name, T, value)        \
    SIMT_ATOMIC_AS(name, T, value)         \
    SIMT_ATOMIC_AS(name##_block, T, value) \
    SIMT_ATOMIC_AS(name##_system, T, value)
#define SIMT_ATOMICS(T)                          \
    SIMT_ATOMIC(atomicAdd, T, old + v)           \
    SIMT_ATOMIC(atomicExch, T, v)                \
    SIMT_ATOMIC(atomicMin, T, v < old ? v : old) \
    SIMT_ATOMIC(atomicMax, T, v > old ? v : old) \
    SIMT_ATOMIC(atomicAnd, T, old &v)            \
    SIMT_ATOMIC(atomicOr, T, old | v)            \
    SIMT_ATOMIC(atomicXor, T, old ^ v)
SIMT_ATOMICS(int)
SIMT_ATOMICS(unsigned int)
SIMT_ATOMICS(unsigned long long)
SIMT_ATOMIC(atomicMin, long long, v < old ? v : old)
SIMT_ATOMIC(atomicMax, long long, v > old ? v : old)
SIMT_ATOMIC(atomicAnd, long long, old &v)
SIMT_ATOMIC(atomicOr, long long, old | v)
SIMT_ATOMIC(atomicXor, long long, old ^ v)
SIMT_ATOMIC(atomicSub, int, old - v)
SIMT_ATOMIC(atomicSub, unsigned int, old - v)
SIMT_ATOMIC(atomicAdd, float, old + v)
SIMT_ATOMIC(atomicAdd, double, old + v)
SIMT_ATOMIC(atomicExch, float, v)
SIMT_ATOMIC(atomicInc, unsigned int, old >= v ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned int, old == 0 || old > v ? v : old - 1)
#define SIMT_CAS_AS(name, T)                                                   \
    static inline T name(T *p, T expected, T v, SIMT_HERE)                     \
    {                                                                          \
        T found = expected;                                                    \
                                                                               \
        SIMT_TELL_ATOMIC(p, sizeof *p, file, line);                            \
        if (!__atomic_compare_exchange(p, &found, &v, false, __ATOMIC_RELAXED, \
                                       __ATOMIC_RELAXED) ||                    \
            v == expected)                                                     \
            simt_look(p, file, line);                                          \
        return found;                                                          \
    }
#define SIMT_CAS(T)                 \
    SIMT_CAS_AS(atomicCAS, T)       \
    SIMT_CAS_AS(atomicCAS_block, T) \
    SIMT_CAS_AS(atomicCAS_system, T)
SIMT_CAS(int)
SIMT_CAS(unsigned int)
SIMT_CAS(unsigned long long)
SIMT_CAS(unsigned short)
static inline float2 atomicAdd(float2 *p, float2 v, SIMT_HERE)
{
    return make_float2(atomicAdd(&p->x, v.x, file, line),
                       atomicAdd(&p->y, v.y, file, line));
}
static inline float4 atomicAdd(float4 *p, float4 v, SIMT_HERE)
{
    return make_float4(
        atomicAdd(&p->x, v.x, file, line), atomicAdd(&p->y, v.y, file, line),
        atomicAdd(&p->z, v.z, file, line), atomicAdd(&p->w, v.w, file, line));
}

#endif

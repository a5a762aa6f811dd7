/* device_functions.h: CUDA's functions for kernels, as far as the machine goes.
   Included by cuda_runtime.h. */
#ifndef MACHINE_DEVICE_FUNCTIONS_H
#define MACHINE_DEVICE_FUNCTIONS_H

/* choose the smaller and the larger */
#define SIMT_MIN_MAX(R, A, B)             \
    static inline R min(A a, B b)         \
    {                                     \
        return (R)a < (R)b ? (R)a : (R)b; \
    }                                     \
    static inline R max(A a, B b)         \
    {                                     \
        return (R)a > (R)b ? (R)a : (R)b; \
    }
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

/* choose the smaller and the larger float */
static inline float min(float a, float b)
{
    return fminf(a, b);
}
static inline float max(float a, float b)
{
    return fmaxf(a, b);
}
static inline double min(double a, double b)
{
    return fmin(a, b);
}
static inline double max(double a, double b)
{
    return fmax(a, b);
}

/* count and move bits */
#define SIMT_FUNCTION(R, name, parameters, value) \
    static inline R name parameters               \
    {                                             \
        return (R)(value);                        \
    }
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

static inline unsigned int __brev(unsigned int x)
{
    unsigned int r = 0;

    for (int i = 0; i < 32; i++)
        r |= (x >> i & 1) << (31 - i);
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

/* load through the read-only path, and trap */
template <class T>
static inline T __ldg(const T *p)
{
    return *p;
}

static inline void __trap(void)
{
    simt_trap();
}

static inline void __threadfence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* update memory atomically */
template <class T, class Update>
static inline T simt_update(T *p, Update update)
{
    T old, changed;

    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do
        changed = update(old);
    while (!__atomic_compare_exchange(p, &old, &changed, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
    return old;
}

#define SIMT_ATOMIC(name, T, value)                               \
    static inline T name(T *p, T v)                               \
    {                                                             \
        return simt_update(p, [v](T old) { return (T)(value); }); \
    }
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
SIMT_ATOMIC(atomicSub, int, old - v)
SIMT_ATOMIC(atomicSub, unsigned int, old - v)
SIMT_ATOMIC(atomicAdd, float, old + v)
SIMT_ATOMIC(atomicAdd, double, old + v)
SIMT_ATOMIC(atomicExch, float, v)
SIMT_ATOMIC(atomicInc, unsigned int, old >= v ? 0 : old + 1)
SIMT_ATOMIC(atomicDec, unsigned int, old == 0 || old > v ? v : old - 1)

#define SIMT_CAS(T)                                                          \
    static inline T atomicCAS(T *p, T expected, T v)                         \
    {                                                                        \
        __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_RELAXED, \
                                  __ATOMIC_RELAXED);                         \
        return expected;                                                     \
    }
SIMT_CAS(int)
SIMT_CAS(unsigned int)
SIMT_CAS(unsigned long long)

/* refuse what needs threads side by side */
#define SIMT_LACKS(what)                                                      \
    __attribute__((error("the machine lacks " what " so far: in direct mode " \
                         "threads run one after another, and none can wait")))
SIMT_LACKS("__syncthreads") void __syncthreads(void);
SIMT_LACKS("__syncthreads_count") int __syncthreads_count(int);
SIMT_LACKS("__syncthreads_and") int __syncthreads_and(int);
SIMT_LACKS("__syncthreads_or") int __syncthreads_or(int);
SIMT_LACKS("__syncwarp") void __syncwarp(unsigned int = ~0u);
SIMT_LACKS("__activemask") unsigned int __activemask(void);
SIMT_LACKS("__ballot_sync") unsigned int __ballot_sync(unsigned int, int);
SIMT_LACKS("__any_sync") int __any_sync(unsigned int, int);
SIMT_LACKS("__all_sync") int __all_sync(unsigned int, int);

/* refuse what exchanges values */
#define SIMT_LACKS_SHUFFLE(name) \
    template <class T>           \
    SIMT_LACKS(#name)            \
    T name(unsigned int mask, T value, int lane, int width = 32);
SIMT_LACKS_SHUFFLE(__shfl_sync)
SIMT_LACKS_SHUFFLE(__shfl_up_sync)
SIMT_LACKS_SHUFFLE(__shfl_down_sync)
SIMT_LACKS_SHUFFLE(__shfl_xor_sync)
#endif

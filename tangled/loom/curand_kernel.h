/* curand_kernel.h: the part of cuRAND's device API that the book calls. */
#ifndef LOOM_CURAND_KERNEL_H
#define LOOM_CURAND_KERNEL_H

#include "loom/cuda_runtime.h"
#include "loom/philox.h"
#include "loom/xorwow.h"

struct curandStatePhilox4_32_10 {
    unsigned long long seed, stream, at; /* at: the next word */
    struct loom_philox now
        __attribute__((aligned(16))); /* the block that holds it */
    float spare;                      /* the other of a pair of normals ... */
    double spare_double;
    int has, has_double; /* ... if it is still to come */
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* define XORWOW */
struct curandStateXORWOW {
    unsigned d, v[5];
    float spare;
    double spare_double;
    int has, has_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t,
    curandState;

static inline __device__ void skipahead(unsigned long long n,
                                        curandStateXORWOW_t *s)
{
    loom_xorwow_skip(s->v, n, 0);
    s->d += 362437u * (unsigned)n;
}
static inline __device__ void skipahead_sequence(unsigned long long n,
                                                 curandStateXORWOW_t *s)
{
    loom_xorwow_skip(s->v, n, 67);
}
static inline __device__ void curand_init(unsigned long long seed,
                                          unsigned long long subsequence,
                                          unsigned long long offset,
                                          curandStateXORWOW_t *s)
{
    unsigned a = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
    unsigned b = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);

    s->d = 6615241u + a + b;
    s->v[0] = 123456789u + a;
    s->v[1] = 362436069u ^ a;
    s->v[2] = 521288629u + b;
    s->v[3] = 88675123u ^ b;
    s->v[4] = 5783321u + a;
    s->has = s->has_double = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}
static inline __device__ unsigned curand(curandStateXORWOW_t *s)
{
    loom_xorwow_step(s->v);
    s->d += 362437u;
    return s->v[4] + s->d;
}

/* go to a word of a stream */
static inline __device__ void curand_init(unsigned long long seed,
                                          unsigned long long subsequence,
                                          unsigned long long offset,
                                          curandStatePhilox4_32_10_t *s)
{
    s->seed = seed;
    s->stream = subsequence;
    s->at = offset;
    s->now = loom_philox(seed, subsequence, offset / 4);
    s->has = s->has_double = 0;
}
static inline __device__ void skipahead(unsigned long long n,
                                        curandStatePhilox4_32_10_t *s)
{
    curand_init(s->seed, s->stream, s->at + n, s);
}
static inline __device__ void skipahead_sequence(unsigned long long n,
                                                 curandStatePhilox4_32_10_t *s)
{
    curand_init(s->seed, s->stream + n, s->at, s);
}

/* draw from a generator */
static inline __device__ unsigned curand(curandStatePhilox4_32_10_t *s)
{
    unsigned word = s->now.w[s->at % 4];

    if (++s->at % 4 == 0)
        s->now = loom_philox(s->seed, s->stream, s->at / 4);
    return word;
}
static inline __device__ uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    uint4 four;

    four.x = curand(s);
    four.y = curand(s);
    four.z = curand(s);
    four.w = curand(s);
    return four;
}

/* draw floats from a generator */
static inline __device__ float curand_uniform(curandStatePhilox4_32_10_t *s)
{
    return loom_uniform(curand(s));
}
static inline __device__ float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    uint4 four = curand4(s);

    return make_float4(loom_uniform(four.x), loom_uniform(four.y),
                       loom_uniform(four.z), loom_uniform(four.w));
}

/* draw from any generator */
static inline __device__ float curand_uniform(curandStateXORWOW_t *s)
{
    return loom_uniform(curand(s));
}

#define LOOM_DRAWS(S)                                                      \
    static inline __device__ double curand_uniform_double(S *s)            \
    {                                                                      \
        unsigned x = curand(s), y = curand(s);                             \
                                                                           \
        return loom_uniform_double(x, y);                                  \
    }                                                                      \
    static inline __device__ float2 curand_normal2(S *s)                   \
    {                                                                      \
        unsigned x = curand(s), y = curand(s);                             \
        float r = sqrtf(-2 * logf(loom_uniform(x)));                       \
        float angle =                                                      \
            (float)y * (6.2831855f * 0x1p-32f) + 3.1415927f * 0x1p-32f;    \
                                                                           \
        return make_float2(r * sinf(angle), r * cosf(angle));              \
    }                                                                      \
    static inline __device__ double2 curand_normal2_double(S *s)           \
    {                                                                      \
        double u = curand_uniform_double(s), v = curand_uniform_double(s); \
        double r = sqrt(-2 * log(u)), angle = 6.283185307179586 * v;       \
                                                                           \
        return make_double2(r * sin(angle), r * cos(angle));               \
    }

/* draw one of a pair */
#define LOOM_DRAWS_ONE(S)                                              \
    static inline __device__ float curand_normal(S *s)                 \
    {                                                                  \
        float2 pair;                                                   \
                                                                       \
        if ((s->has = !s->has) == 0)                                   \
            return s->spare;                                           \
        pair = curand_normal2(s);                                      \
        s->spare = pair.y;                                             \
        return pair.x;                                                 \
    }                                                                  \
    static inline __device__ double curand_normal_double(S *s)         \
    {                                                                  \
        double2 pair;                                                  \
                                                                       \
        if ((s->has_double = !s->has_double) == 0)                     \
            return s->spare_double;                                    \
        pair = curand_normal2_double(s);                               \
        s->spare_double = pair.y;                                      \
        return pair.x;                                                 \
    }                                                                  \
    static inline __device__ float curand_log_normal(S *s, float mean, \
                                                     float stddev)     \
    {                                                                  \
        return expf(mean + stddev * curand_normal(s));                 \
    }                                                                  \
    static inline __device__ double curand_log_normal_double(          \
        S *s, double mean, double stddev)                              \
    {                                                                  \
        return exp(mean + stddev * curand_normal_double(s));           \
    }
LOOM_DRAWS(curandStateXORWOW_t)
LOOM_DRAWS_ONE(curandStateXORWOW_t)
LOOM_DRAWS(curandStatePhilox4_32_10_t)
LOOM_DRAWS_ONE(curandStatePhilox4_32_10_t)
#undef LOOM_DRAWS_ONE
#undef LOOM_DRAWS

static inline __device__ float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    float2 a = curand_normal2(s), b = curand_normal2(s);

    return make_float4(a.x, a.y, b.x, b.y);
}

/* delete what the device's half lacks */
unsigned curand_poisson(curandStatePhilox4_32_10_t *, double) = delete;
unsigned curand_poisson(curandStateXORWOW_t *, double) = delete;

#endif

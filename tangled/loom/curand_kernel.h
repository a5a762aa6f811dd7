/* curand_kernel.h: the part of cuRAND's device API that the book calls. */
#ifndef LOOM_CURAND_KERNEL_H
#define LOOM_CURAND_KERNEL_H

#include "loom/cuda_runtime.h"
#include "loom/philox.h"

struct curandStatePhilox4_32_10 {
    unsigned long long seed, stream, at; /* at: the next word */
    struct loom_philox now
        __attribute__((aligned(16))); /* the block that holds it */
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

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

/* delete what the device's half lacks */
float curand_normal(curandStatePhilox4_32_10_t *) = delete;
float2 curand_normal2(curandStatePhilox4_32_10_t *) = delete;
float4 curand_normal4(curandStatePhilox4_32_10_t *) = delete;
float curand_log_normal(curandStatePhilox4_32_10_t *, float, float) = delete;
double curand_uniform_double(curandStatePhilox4_32_10_t *) = delete;
unsigned curand_poisson(curandStatePhilox4_32_10_t *, double) = delete;

#endif

/* curand.h: the part of cuRAND's host API that the book calls: Philox4x32-10.
   Names, numbers and bits are those of CUDA 13. */
#ifndef LOOM_CURAND_H
#define LOOM_CURAND_H

#include "loom/cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* define the types of cuRAND */
typedef enum {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LAUNCH_FAILURE = 201
} curandStatus_t;
typedef enum { CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161 } curandRngType_t;
typedef enum {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_LEGACY = 103
} curandOrdering_t;
typedef struct curandGenerator_st *curandGenerator_t;

/* declare the calls of cuRAND */
curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t t);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g,
                                         curandRngType_t t);
curandStatus_t curandDestroyGenerator(curandGenerator_t g);
curandStatus_t curandGetVersion(int *version);
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g,
                                        unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g,
                                          curandOrdering_t order);
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *out, size_t n);
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *out, size_t n);

/* name what Loom's cuRAND lacks */
#define LOOM_LACKS(call, ...)                                                  \
    __attribute__((error("Loom's cuRAND has no " #call ": "                    \
                         "see draw_normals in random/draw.h"))) curandStatus_t \
    call(curandGenerator_t g, __VA_ARGS__);
LOOM_LACKS(curandGenerateNormal, float *out, size_t n, float mean, float stddev)
LOOM_LACKS(curandGenerateLogNormal, float *out, size_t n, float mean,
           float stddev)
LOOM_LACKS(curandGenerateUniformDouble, double *out, size_t n)
LOOM_LACKS(curandGenerateNormalDouble, double *out, size_t n, double mean,
           double stddev)
#undef LOOM_LACKS
#ifdef __cplusplus
}
#endif
#endif

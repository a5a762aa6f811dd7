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
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999,
    CURAND_STATUS_VERSION_MISMATCH = 100
} curandStatus_t;
typedef enum {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
} curandRngType_t;
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
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *out,
                                           size_t n);

/* n is even. */
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *out, size_t n,
                                    float mean, float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *out,
                                          size_t n, double mean, double stddev);
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *out,
                                       size_t n, float mean, float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *out,
                                             size_t n, double mean,
                                             double stddev);

/* name what Loom's cuRAND lacks */
#define LOOM_LACKS_DRAW(call, ...)                                             \
    __attribute__((error("Loom lacks " #call " so far"))) curandStatus_t call( \
        curandGenerator_t g, __VA_ARGS__);
LOOM_LACKS_DRAW(curandGeneratePoisson, unsigned *out, size_t n, double lambda)
LOOM_LACKS_DRAW(curandGenerateLongLong, unsigned long long *out, size_t n)
#undef LOOM_LACKS_DRAW
#ifdef __cplusplus
}
#endif
#endif

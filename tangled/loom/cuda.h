/* cuda.h: of the driver's calls, the one for tensor maps. */
#ifndef LOOM_CUDA_H
#define LOOM_CUDA_H

/* describe what the driver calls have */
#include "loom/cuda_runtime_api.h"

typedef int CUresult;
enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 };
typedef unsigned long long cuuint64_t;
typedef unsigned int cuuint32_t;
#ifdef __cplusplus
#define LOOM_ALIGNED(n) alignas(n)
#else
#define LOOM_ALIGNED(n) _Alignas(n)
#endif
#pragma GCC diagnostic ignored \
    "-Wpsabi" /* long ago such were passed otherwise */
typedef struct CUtensorMap_st {
    LOOM_ALIGNED(64) cuuint64_t opaque[16];
} CUtensorMap;

/* name what a tensor map may be */
typedef enum CUtensorMapDataType {
    CU_TENSOR_MAP_DATA_TYPE_UINT8,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave {
    CU_TENSOR_MAP_INTERLEAVE_NONE,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle {
    CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

#ifdef __cplusplus
extern "C"
#endif
    CUresult
    cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type,
                           cuuint32_t dims, void *start, const cuuint64_t *size,
                           const cuuint64_t *stride, const cuuint32_t *box,
                           const cuuint32_t *step,
                           CUtensorMapInterleave interleave,
                           CUtensorMapSwizzle swizzle,
                           CUtensorMapL2promotion promotion,
                           CUtensorMapFloatOOBfill fill);
#endif

/* cublasLt.h: a handle, and the names of what Loom lacks. */
#ifndef LOOM_CUBLASLT_H
#define LOOM_CUBLASLT_H

#include "loom/cublas_v2.h"

typedef struct cublasContext *cublasLtHandle_t;

static inline cublasStatus_t cublasLtCreate(cublasLtHandle_t *h)
{
    return cublasCreate(h);
}
static inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t h)
{
    return cublasDestroy(h);
}

typedef void *cublasLtMatmulDesc_t, *cublasLtMatrixLayout_t,
    *cublasLtMatmulPreference_t, *cublasLtMatrixTransformDesc_t;

#ifdef __cplusplus
#include "loom/cuda_runtime.h"
LOOM_LACKS_CALL(cublasLtMatmul)
LOOM_LACKS_CALL(cublasLtMatmulDescCreate)
LOOM_LACKS_CALL(cublasLtMatmulDescSetAttribute)
LOOM_LACKS_CALL(cublasLtMatmulDescDestroy)
LOOM_LACKS_CALL(cublasLtMatmulPreferenceCreate)
LOOM_LACKS_CALL(cublasLtMatmulPreferenceSetAttribute)
LOOM_LACKS_CALL(cublasLtMatmulPreferenceDestroy)
LOOM_LACKS_CALL(cublasLtMatmulAlgoGetHeuristic)
LOOM_LACKS_CALL(cublasLtMatrixLayoutCreate)
LOOM_LACKS_CALL(cublasLtMatrixLayoutSetAttribute)
LOOM_LACKS_CALL(cublasLtMatrixLayoutDestroy)
LOOM_LACKS_CALL(cublasLtMatrixTransform)
#endif
#endif

/* lt.cuh: square products of bf16 by the fastest algorithm of cuBLASLt. On the GPU
   alone. */
#ifndef TENSOR_LT_CUH
#define TENSOR_LT_CUH

#include "measure/stats.h"
#include "tensor/library.cuh"

enum { LT_BYTES = 64 << 20 }; /* of workspace */

#ifdef __LOOM__
static inline int lt_is_here(void)
{
    return 0;
}
static inline void lt_open(int, void *, bf16 *, size_t, int)
{
}
static inline void lt_run(const bf16 *, const bf16 *, bf16 *, cudaStream_t)
{
}
static inline void lt_close(void)
{
}
#else
#include <cublasLt.h>

/* hold a product of cuBLASLt */
static struct {
    cublasLtHandle_t h;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t square;
    cublasLtMatmulAlgo_t best;
    void *place;
} lt;

static inline int lt_is_here(void)
{
    return 1;
}

static inline void lt_run_by(const cublasLtMatmulAlgo_t *algo, const bf16 *a,
                             const bf16 *b, bf16 *c, cudaStream_t stream)
{
    float one = 1, zero = 0;

    CUBLAS_CHECK(cublasLtMatmul(lt.h, lt.product, &one, b, lt.square, a,
                                lt.square, &zero, c, lt.square, c, lt.square,
                                algo, lt.place, LT_BYTES, stream));
}

static inline void lt_run(const bf16 *a, const bf16 *b, bf16 *c,
                          cudaStream_t stream)
{
    lt_run_by(&lt.best, a, b, c, stream);
}

static inline void lt_close(void)
{
    CUBLAS_CHECK(cublasLtMatrixLayoutDestroy(lt.square));
    CUBLAS_CHECK(cublasLtMatmulDescDestroy(lt.product));
    CUBLAS_CHECK(cublasLtDestroy(lt.h));
}

/* ask cuBLASLt for its algorithms */
enum { LT_MOST = 128 };

/* Fills in algorithms for the product; returns how many there are. */
static inline int lt_ask(cublasLtMatmulHeuristicResult_t *to)
{
    cublasLtMatmulPreference_t wish;
    size_t bytes = LT_BYTES;
    int count;

    CUBLAS_CHECK(cublasLtMatmulPreferenceCreate(&wish));
    CUBLAS_CHECK(cublasLtMatmulPreferenceSetAttribute(
        wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes));
    CUBLAS_CHECK(cublasLtMatmulAlgoGetHeuristic(lt.h, lt.product, lt.square,
                                                lt.square, lt.square, lt.square,
                                                wish, LT_MOST, to, &count));
    CUBLAS_CHECK(cublasLtMatmulPreferenceDestroy(wish));
    CHECK(count > 0, "cuBLASLt knows no algorithm");
    return count;
}

/* time the algorithms */
/* Of `sets` sets of three matrices, each of which has `each` numbers. */
static inline double lt_time(const cublasLtMatmulAlgo_t *algo, bf16 *x,
                             size_t each, int sets)
{
    static int calls; /* so far: chooses the set */
    cudaStream_t stream = cudaStreamPerThread;
    cudaGraphExec_t twenty;
    cudaGraph_t graph;
    cudaEvent_t from, to;
    double ms[5];

    CUDA_CHECK(cudaEventCreate(&from));
    CUDA_CHECK(cudaEventCreate(&to));
    /* put twenty products into a graph */
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    for (int r = 0; r < 20; r++) {
        bf16 *a = x + 3 * each * (calls++ % sets);

        lt_run_by(algo, a, a + each, a + 2 * each, stream);
    }
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&twenty, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(twenty, stream)); /* the first takes longer */
    for (int i = 0; i < 5; i++) {
        float t;

        CUDA_CHECK(cudaEventRecord(from, stream));
        CUDA_CHECK(cudaGraphLaunch(twenty, stream));
        CUDA_CHECK(cudaEventRecord(to, stream));
        CUDA_CHECK(cudaEventSynchronize(to));
        CUDA_CHECK(cudaEventElapsedTime(&t, from, to));
        ms[i] = t;
    }
    CUDA_CHECK(cudaGraphExecDestroy(twenty));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaEventDestroy(from));
    CUDA_CHECK(cudaEventDestroy(to));
    return stats_of(ms, 5).median;
}

/* n x n matrices; `place` has LT_BYTES. Chooses the algorithm. */
static inline void lt_open(int n, void *place, bf16 *x, size_t each, int sets)
{
    cublasLtMatmulHeuristicResult_t got[LT_MOST];
    double least = 1e300;
    int count;

    lt.place = place;
    CUBLAS_CHECK(cublasLtCreate(&lt.h));
    CUBLAS_CHECK(
        cublasLtMatmulDescCreate(&lt.product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    CUBLAS_CHECK(cublasLtMatrixLayoutCreate(&lt.square, CUDA_R_16BF,
                                            (uint64_t)n, (uint64_t)n, n));
    count = lt_ask(got);
    for (int i = 0; i < count; i++)
        if (got[i].state == CUBLAS_STATUS_SUCCESS) {
            double ms = lt_time(&got[i].algo, x, each, sets);

            if (ms < least)
                least = ms, lt.best = got[i].algo;
        }
    CHECK(least < 1e300, "no algorithm of cuBLASLt runs");
}
#endif
#endif

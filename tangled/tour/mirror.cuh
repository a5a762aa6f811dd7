/* mirror.cuh: the first kernel of the book. */
#ifndef TOUR_MIRROR_CUH
#define TOUR_MIRROR_CUH

#include <cuda_runtime.h>

#include "tour/check.h"

static inline void must(cudaError_t status)
{
    CHECK(status == cudaSuccess, "CUDA: %s", cudaGetErrorString(status));
}

enum { SIDE = 10, CELLS = SIDE * SIDE };

#endif

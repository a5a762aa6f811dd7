/* after.cuh: work in one stream comes after work in another. */
#ifndef ASYNC_AFTER_CUH
#define ASYNC_AFTER_CUH

#include "stack/cuda_check.h"

/* order two streams */
/* What is put into `later` from now on waits for what is in `first` now. */
static inline void stream_after(cudaStream_t later, cudaStream_t first,
                                cudaEvent_t e)
{
    CUDA_CHECK(cudaEventRecord(e, first));
    CUDA_CHECK(cudaStreamWaitEvent(later, e, 0));
}

#endif

/* cuda_pipeline.h: copies to shared memory that arrive later. */
#ifndef MACHINE_CUDA_PIPELINE_H
#define MACHINE_CUDA_PIPELINE_H

#include "machine/cuda_runtime.h"

/* copy in the program's own line */
#define SIMT_COPY_LATER(to, from, size, zeros) \
    simt_copy_later(to, from, size, zeros, __FILE__, __LINE__)
#define SIMT_COPY_AS(T, to, from) ((void)(*(T *)(to) = *(const T *)(from)))
#define SIMT_COPY_BYTES(to, from, size, zeros)                            \
    ({                                                                    \
        for (size_t simt_i = 0; simt_i < (size); simt_i++)                \
            ((char *)(to))[simt_i] =                                      \
                simt_i + (zeros) < (size) ? ((char *)(from))[simt_i] : 0; \
    })
#ifdef SIMT_CHECKED
#define SIMT_COPY(to, from, size, zeros, ...)                \
    ((zeros) != 0   ? SIMT_COPY_BYTES(to, from, size, zeros) \
     : (size) == 4  ? SIMT_COPY_AS(unsigned int, to, from)   \
     : (size) == 8  ? SIMT_COPY_AS(uint2, to, from)          \
     : (size) == 16 ? SIMT_COPY_AS(uint4, to, from)          \
                    : SIMT_COPY_LATER(to, from, size, zeros))
#else
#define SIMT_COPY(to, from, size, zeros, ...) \
    SIMT_COPY_LATER(to, from, size, zeros)
#endif
#define __pipeline_memcpy_async(...) SIMT_COPY(__VA_ARGS__, 0, 0)
SIMT_FUNCTION(void, __pipeline_commit, (), simt_commit_copies())
SIMT_FUNCTION(void, __pipeline_wait_prior, (size_t groups),
              simt_wait_for_copies(groups))
#endif

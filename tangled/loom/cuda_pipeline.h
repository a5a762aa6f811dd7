/* cuda_pipeline.h: copies to shared memory that arrive later. */
#ifndef LOOM_CUDA_PIPELINE_H
#define LOOM_CUDA_PIPELINE_H

#include "loom/cuda_runtime.h"

/* copy in the program's own line */
#define LOOM_COPY_AS(T, to, from) ((void)(*(T *)(to) = *(const T *)(from)))
#define LOOM_COPY_BYTES(to, from, size, zeros)                            \
    ({                                                                    \
        for (size_t loom_i = 0; loom_i < (size); loom_i++)                \
            ((char *)(to))[loom_i] =                                      \
                loom_i + (zeros) < (size) ? ((char *)(from))[loom_i] : 0; \
    })
#ifdef LOOM_CHECKED
#define LOOM_COPY_NOW(to, from, size, zeros)                 \
    ((zeros) != 0   ? LOOM_COPY_BYTES(to, from, size, zeros) \
     : (size) == 4  ? LOOM_COPY_AS(unsigned int, to, from)   \
     : (size) == 8  ? LOOM_COPY_AS(uint2, to, from)          \
     : (size) == 16 ? LOOM_COPY_AS(uint4, to, from)          \
                    : (void)0)
#else
#define LOOM_COPY_NOW(to, from, size, zeros) (void)0
#endif
#define LOOM_COPY_AT(to, from, size, zeros, file, line) \
    (LOOM_COPY_NOW(to, from, size, zeros),              \
     loom_copy_later(to, from, size, zeros, file, line))
#define LOOM_COPY(to, from, size, zeros, ...) \
    LOOM_COPY_AT(to, from, size, zeros, __FILE__, __LINE__)
#define __pipeline_memcpy_async(...) LOOM_COPY(__VA_ARGS__, 0, 0)
LOOM_FUNCTION(void, __pipeline_commit, (), loom_commit_copies())
LOOM_FUNCTION(void, __pipeline_wait_prior, (size_t groups),
              loom_wait_for_copies(groups))
#endif

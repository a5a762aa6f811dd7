/* async.cuh: cp.async, and what it does. On cards before 8.0 just a copy. */
#ifndef MEMORY_ASYNC_CUH
#define MEMORY_ASYNC_CUH

#include <cuda_pipeline.h>

/* start an asynchronous copy */
/* Starts to copy 4, 8 or 16 bytes to shared memory; with here = 0, zeros. Both
   addresses must be multiples of SIZE. PTX ISA, cp.async. */
template <int SIZE>
static __device__ inline void async_copy(void *shared, const void *global,
                                         int here)
{
#ifdef __LOOM__
    __pipeline_memcpy_async(shared, global, SIZE, here ? 0 : SIZE);
#elif __CUDA_ARCH__ >= 800
    unsigned to = (unsigned)__cvta_generic_to_shared(shared);

    if (SIZE == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                     "l"(global), "r"(here ? 16 : 0)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to),
                     "l"(global), "n"(SIZE), "r"(here ? SIZE : 0)
                     : "memory");
#else
    for (int i = 0; i < SIZE / 4; i++)
        ((int *)shared)[i] = here ? ((const int *)global)[i] : 0;
#endif
}

/* close a group and wait for groups */
static __device__ inline void async_commit(void)
{
#ifdef __LOOM__
    __pipeline_commit();
#elif __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Returns when all of this thread's groups but the last KEEP have arrived. */
template <int KEEP>
static __device__ inline void async_wait(void)
{
#ifdef __LOOM__
    __pipeline_wait_prior(KEEP);
#elif __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(KEEP) : "memory");
#endif
}
#endif

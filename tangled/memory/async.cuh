/* async.cuh: cp.async, and what it does. Compute capability 8.0 and later. */
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
#ifdef __SIMT__
    __pipeline_memcpy_async(shared, global, SIZE, here ? 0 : SIZE);
#else
    unsigned to = (unsigned)__cvta_generic_to_shared(shared);

    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to),
                 "l"(global), "n"(SIZE), "r"(here ? SIZE : 0)
                 : "memory");
#endif
}

/* close a group and wait for groups */
static __device__ inline void async_commit(void)
{
#ifdef __SIMT__
    __pipeline_commit();
#else
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Returns when all of this thread's groups but the last KEEP have arrived. */
template <int KEEP>
static __device__ inline void async_wait(void)
{
#ifdef __SIMT__
    __pipeline_wait_prior(KEEP);
#else
    asm volatile("cp.async.wait_group %0;" ::"n"(KEEP) : "memory");
#endif
}
#endif

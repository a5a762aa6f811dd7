/* where.cuh: which lane, which warp, which SM, and what time is it? */
#ifndef SIMT_WHERE_CUH
#define SIMT_WHERE_CUH

/* number the threads of a block */
enum { WARP = 32 };

/* This thread's number in its block; x runs fastest, then y. */
static __device__ inline int my_number(void)
{
    return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
                 threadIdx.x);
}

/* Its place in its warp, from 0 to 31, and its warp's in the block. */
static __device__ inline int my_lane(void)
{
    return my_number() % WARP;
}

static __device__ inline int my_warp(void)
{
    return my_number() / WARP;
}

/* ask for the SM */
enum { SM_MOST = 1024 }; /* more SMs than any GPU has */

/* The number of the SM that this thread's block runs on, from 0. */
static __device__ inline unsigned sm_id(void)
{
#ifdef __LOOM__
    return loom_smid();
#else
    unsigned sm;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
#endif
}

/* ask for the time */
/* Nanoseconds, the same clock on every SM; it may advance in steps. */
static __device__ inline unsigned long long global_ns(void)
{
#ifdef __LOOM__
    return loom_globaltimer();
#else
    unsigned long long ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
#endif
}

#endif

/* order.cuh: loads, stores and fences that say what they order, at the scope
   of the device. PTX ISA, "Memory Consistency Model"; sm_70 and later. */
#ifndef SYNC_ORDER_CUH
#define SYNC_ORDER_CUH

/* load and store, relaxed */
static __device__ inline unsigned load_relaxed(unsigned *p)
{
#ifdef __LOOM__
    return atomicAdd(p, 0u);
#else
    unsigned v;

    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
#endif
}

static __device__ inline void store_relaxed(unsigned *p, unsigned v)
{
#ifdef __LOOM__
    atomicExch(p, v);
#else
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
#endif
}

/* load to acquire */
/* What the storing thread did before, the loading thread sees after. */
static __device__ inline unsigned load_acquire(unsigned *p)
{
#ifdef __LOOM__
    unsigned v = atomicAdd(p, 0u);

    __threadfence();
    return v;
#else
    unsigned v;

    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
#endif
}

/* store to release */
static __device__ inline void store_release(unsigned *p, unsigned v)
{
#ifdef __LOOM__
    __threadfence();
    atomicExch(p, v);
#else
    asm volatile("st.release.gpu.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
#endif
}

/* add and release */
/* Adds v to *p and returns what was there; releases as store_release does. */
static __device__ inline unsigned add_release(unsigned *p, unsigned v)
{
#ifdef __LOOM__
    __threadfence();
    return atomicAdd(p, v);
#else
    unsigned old;

    asm volatile("atom.release.gpu.add.u32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(v)
                 : "memory");
    return old;
#endif
}

/* fence in four strengths */
enum fence { NO_FENCE, FENCE_CTA, FENCE_GPU, FENCE_SC, FENCES };

static __device__ inline void fence(enum fence f)
{
#ifdef __LOOM__
    if (f == FENCE_CTA)
        __threadfence_block();
    else if (f != NO_FENCE)
        __threadfence();
#else
    if (f == FENCE_CTA)
        asm volatile("fence.acq_rel.cta;" : : : "memory");
    else if (f == FENCE_GPU)
        asm volatile("fence.acq_rel.gpu;" : : : "memory");
    else if (f == FENCE_SC)
        asm volatile("fence.sc.gpu;" : : : "memory");
#endif
}

#endif

/* ptx.h: instructions that CUDA C has no words for. For the GPU as PTX, for Loom
   as their meaning in C. Each says what it does; PTX ISA has the rest. */
#ifndef LOOM_PTX_H
#define LOOM_PTX_H

/* tell the GPU from Loom */
#ifndef __LOOM__
#include <cuda.h>
#include <stdint.h>
#define PTX_SITE
#define PTX_HERE
#define PTX_LOOM(...)
#if __CUDA_ARCH__ >= 800
#define PTX_80(...) asm volatile(__VA_ARGS__)
#else
#define PTX_80(...) __trap()
#endif
#if __CUDA_ARCH__ >= 890
#define PTX_89(...) asm volatile(__VA_ARGS__)
#else
#define PTX_89(...) __trap()
#endif
#if __CUDA_ARCH__ >= 900
#define PTX_90(...) asm volatile(__VA_ARGS__)
#else
#define PTX_90(...) __trap()
#endif
#else
#include <loom/async.h> /* in angles: no part of the program on a GPU */
#include <loom/cluster.h>
#include <loom/cuda.h>
#include <loom/cuda_pipeline.h>
#include <loom/matrix.h>
#include <loom/warpgroup.h>
#define PTX_SITE \
    const char *file = __builtin_FILE(), int line = __builtin_LINE()
#define PTX_HERE , PTX_SITE
#define PTX_LOOM(...) __VA_ARGS__
#define PTX_80(...)
#define PTX_89(...)
#define PTX_90(...)
#define PTX_90A(...)
#endif
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define PTX_90A(...) asm volatile(__VA_ARGS__)
#elif !defined(__LOOM__)
#define PTX_90A(...)
#endif
#define PTX static __device__ __forceinline__

/* The 32 bits by which PTX knows an address in shared memory. */
PTX unsigned ptx_shared(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* wrap copies of a few bytes */
/* Starts to copy SIZE bytes (4, 8 or 16) to shared memory, of which `bytes`
   come from global memory; the rest are zeros. Both addresses are multiples of
   SIZE. PTX ISA, cp.async. */
template <int SIZE>
PTX void ptx_cp_async(void *to, const void *from,
                      unsigned bytes = SIZE PTX_HERE)
{
#ifdef __LOOM__
    LOOM_COPY_AT(to, from, SIZE, SIZE - bytes, file, line);
#else
    if (SIZE == 16)
        PTX_80("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   ptx_shared(to)),
               "l"(from), "r"(bytes)
               : "memory");
    else
        PTX_80("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(
                   ptx_shared(to)),
               "l"(from), "n"(SIZE), "r"(bytes)
               : "memory");
#endif
}

/* Closes this thread's group of copies. */
PTX void ptx_cp_async_commit(void)
{
    PTX_80("cp.async.commit_group;" ::: "memory");
    PTX_LOOM(loom_commit_copies();)
}

/* Returns when all of this thread's groups but the last KEEP have arrived. */
template <int KEEP>
PTX void ptx_cp_async_wait(void)
{
    PTX_80("cp.async.wait_group %0;" ::"n"(KEEP) : "memory");
    PTX_LOOM(loom_wait_for_copies(KEEP);)
}

/* wrap mbarriers */
/* The barrier completes a phase when `count` arrivals and all bytes that it was
   told to expect have come. One thread initializes it; then the block meets. */
PTX void ptx_mbarrier_init(uint64_t *bar, unsigned count PTX_HERE)
{
    PTX_80("mbarrier.init.shared.b64 [%0], %1;" ::"r"(ptx_shared(bar)),
           "r"(count)
           : "memory");
    PTX_LOOM(loom_mbarrier_init(bar, count, file, line);)
}

/* From here on the 8 bytes may hold something else. */
PTX void ptx_mbarrier_inval(uint64_t *bar PTX_HERE)
{
    PTX_80("mbarrier.inval.shared.b64 [%0];" ::"r"(ptx_shared(bar)) : "memory");
    PTX_LOOM(loom_mbarrier_inval(bar, file, line);)
}

/* Counts this thread as arrived, without waiting. Returns a token of the phase
   for ptx_mbarrier_test. */
PTX uint64_t ptx_mbarrier_arrive(uint64_t *bar PTX_HERE)
{
    uint64_t token = 0;

    PTX_80("mbarrier.arrive.shared.b64 %0, [%1];"
           : "=l"(token)
           : "r"(ptx_shared(bar))
           : "memory");
    PTX_LOOM(token = loom_mbarrier_arrive(bar, 1, 0, 0, file, line);)
    return token;
}

/* The same, for this phase and all that follow: the thread will not come again. */
PTX void ptx_mbarrier_drop(uint64_t *bar PTX_HERE)
{
    PTX_80("{ .reg .b64 t; mbarrier.arrive_drop.shared.b64 t, [%0]; }" ::"r"(
               ptx_shared(bar))
           : "memory");
    PTX_LOOM(loom_mbarrier_arrive(bar, 1, 0, 1, file, line);)
}

/* wrap arrivals with bytes */
/* Arrives and adds `bytes` to what the phase waits for. */
PTX void ptx_mbarrier_expect(uint64_t *bar, unsigned bytes PTX_HERE)
{
    PTX_90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
               ptx_shared(bar)),
           "r"(bytes)
           : "memory");
    PTX_LOOM(loom_mbarrier_arrive(bar, 1, bytes, 0, file, line);)
}

/* Arrives at the same barrier of another block of the cluster. */
PTX void ptx_mbarrier_arrive_at(uint64_t *bar, unsigned rank PTX_HERE)
{
    PTX_90(
        "{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; }" ::"r"(
            ptx_shared(bar)),
        "r"(rank)
        : "memory");
    PTX_LOOM(loom_mbarrier_arrive(loom_map(bar, rank, file, line), 1, 0, 0,
                                  file, line);)
}

/* The same, but this thread's accesses before it are not made known: for one that
   says only that copies and products which it waited for are done. The other one
   waits for a MEMBAR of the whole GPU. */
PTX void ptx_mbarrier_arrive_at_relaxed(uint64_t *bar, unsigned rank PTX_HERE)
{
    PTX_90(
        "{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, %1;\n"
        "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [a]; }" ::"r"(
            ptx_shared(bar)),
        "r"(rank)
        : "memory");
    PTX_LOOM(loom_mbarrier_arrive(loom_map(bar, rank, file, line), 1, 0, 0,
                                  file, line);)
}

/* wrap the ends of phases */
/* Whether the phase of this parity has completed: 0 for the first, then 1, 0, ... */
PTX int ptx_mbarrier_try(uint64_t *bar, unsigned parity PTX_HERE)
{
    unsigned done = 0;

#if defined(__LOOM__)
    done = (unsigned)loom_mbarrier_try(bar, parity, file, line);
#elif __CUDA_ARCH__ >= 900
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(ptx_shared(bar)), "r"(parity)
        : "memory");
#elif __CUDA_ARCH__ >= 800
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p; }"
        : "=r"(done)
        : "r"(ptx_shared(bar)), "r"(parity)
        : "memory");
#endif
    return (int)done;
}

/* Whether the phase that a token is of has completed. */
PTX int ptx_mbarrier_test(uint64_t *bar, uint64_t token PTX_HERE)
{
    unsigned done = 0;

    PTX_80("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2;\n"
           "selp.u32 %0, 1, 0, p; }"
           : "=r"(done)
           : "r"(ptx_shared(bar)), "l"(token)
           : "memory");
    PTX_LOOM(done = (unsigned)loom_mbarrier_try(bar, (unsigned)(token & 1),
                                                file, line);)
    return (int)done;
}

/* Returns when the phase of this parity has completed, and what was written
   before its arrivals can be read. */
PTX void ptx_mbarrier_wait(uint64_t *bar, unsigned parity PTX_HERE)
{
#ifdef __LOOM__
    loom_mbarrier_wait(bar, parity, file, line);
#else
    while (!ptx_mbarrier_try(bar, parity))
        ;
#endif
}

/* wrap fences */
/* Makes this thread's ptx_mbarrier_init known to the cluster. */
PTX void ptx_fence_mbarrier_init(PTX_SITE)
{
    PTX_90("fence.mbarrier_init.release.cluster;" ::: "memory");
    PTX_LOOM(LOOM_TELL_FENCE(file, line);)
}

/* Orders this thread's accesses before bulk copies that follow. */
PTX void ptx_fence_async(void)
{
    PTX_90("fence.proxy.async;" ::: "memory");
    PTX_LOOM(loom_fence_async();)
}

/* Those to this block's shared memory alone, which is much cheaper: nvcc makes
   the other one a MEMBAR of the whole GPU. */
PTX void ptx_fence_async_shared(void)
{
    PTX_90("fence.proxy.async.shared::cta;" ::: "memory");
    PTX_LOOM(loom_fence_async();)
}

/* Lets one thread of the warp go in: 1 for it. */
PTX int ptx_elect(PTX_SITE)
{
    unsigned is = 0;

    PTX_90("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }"
           : "=r"(is)::"memory");
    PTX_LOOM(__ballot_sync(~0u, 1, file, line); is = loom_laneid() == 0;)
    return (int)is;
}

/* wrap bulk copies */
/* Starts to copy bytes to shared memory: multiples of 16, at multiples of 16. The
   barrier is told of them as they arrive. PTX ISA, cp.async.bulk. */
PTX void ptx_bulk_load(void *to, const void *from, unsigned bytes,
                       uint64_t *bar PTX_HERE)
{
    PTX_90("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
           "[%0], [%1], %2, [%3];" ::"r"(ptx_shared(to)),
           "l"(from), "r"(bytes), "r"(ptx_shared(bar))
           : "memory");
    PTX_LOOM(loom_bulk_load(to, from, bytes, bar, 0, file, line);)
}

/* The same to each block of the cluster whose bit is set, at the same place. */
PTX void ptx_bulk_load_all(void *to, const void *from, unsigned bytes,
                           uint64_t *bar, unsigned blocks PTX_HERE)
{
    PTX_90("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
           "multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(ptx_shared(to)),
           "l"(from), "r"(bytes), "r"(ptx_shared(bar)),
           "h"((unsigned short)blocks)
           : "memory");
    PTX_LOOM(loom_bulk_load(to, from, bytes, bar, blocks, file, line);)
}

/* Starts to copy to the same place of another block's shared memory, whose
   barrier is told. */
PTX void ptx_bulk_send(void *to, const void *from, unsigned bytes,
                       uint64_t *bar, unsigned rank PTX_HERE)
{
    PTX_90("{ .reg .b32 a, b; mapa.shared::cluster.u32 a, %0, %4; "
           "mapa.shared::cluster.u32 b, %3, %4;\n"
           "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::"
           "bytes [a], [%1], %2, [b]; }" ::"r"(ptx_shared(to)),
           "r"(ptx_shared(from)), "r"(bytes), "r"(ptx_shared(bar)), "r"(rank)
           : "memory");
    PTX_LOOM(loom_bulk_load(loom_map(to, rank, file, line), from, bytes,
                            loom_map(bar, rank, file, line), 0, file, line);)
}

/* wrap bulk copies from shared memory */
/* Starts to copy from shared to global memory; part of a group of this thread. */
PTX void ptx_bulk_store(void *to, const void *from, unsigned bytes PTX_HERE)
{
    PTX_90(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
        "r"(ptx_shared(from)), "r"(bytes)
        : "memory");
    PTX_LOOM(loom_bulk_store(to, from, bytes, 0, file, line);)
}

/* Starts to add floats to those in global memory, each atomically. */
PTX void ptx_bulk_add(float *to, const float *from, unsigned bytes PTX_HERE)
{
    PTX_90("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], "
           "[%1], %2;" ::"l"(to),
           "r"(ptx_shared(from)), "r"(bytes)
           : "memory");
    PTX_LOOM(loom_bulk_store(to, from, bytes, 1, file, line);)
}

/* Closes this thread's group of bulk copies. */
PTX void ptx_bulk_commit(void)
{
    PTX_90("cp.async.bulk.commit_group;" ::: "memory");
    PTX_LOOM(loom_bulk_commit();)
}

/* Returns when all of this thread's groups but the last KEEP have arrived, ... */
template <int KEEP>
PTX void ptx_bulk_wait(void)
{
    PTX_90("cp.async.bulk.wait_group %0;" ::"n"(KEEP) : "memory");
    PTX_LOOM(loom_bulk_wait(KEEP);)
}

/* ... or have read shared memory, so that it may be written again. */
template <int KEEP>
PTX void ptx_bulk_wait_read(void)
{
    PTX_90("cp.async.bulk.wait_group.read %0;" ::"n"(KEEP) : "memory");
    PTX_LOOM(loom_bulk_wait(KEEP);)
}

/* wrap copies of boxes */
/* Starts to copy the box at coordinates at[0..D - 1], the innermost first, to
   shared memory at a multiple of 128. at[0] elements are a multiple of 16
   bytes: the H200 answers others with an illegal instruction, whatever the
   direction and the swizzle (tried 2026-11-23). PTX ISA, cp.async.bulk.tensor. */
template <int D>
PTX void ptx_tensor_load(void *to, const CUtensorMap *map, const int *at,
                         uint64_t *bar PTX_HERE)
{
#ifdef __LOOM__
    loom_tensor_load(to, map, D, at, bar, 0, file, line);
#else
    static_assert(D >= 1 && D <= 5, "a tensor map has 1 to 5 dimensions");
    if constexpr (D == 1)
        PTX_90(
            "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::"
            "complete_tx::bytes [%0], [%1, {%3}], [%2];" ::"r"(ptx_shared(to)),
            "l"(map), "r"(ptx_shared(bar)), "r"(at[0])
            : "memory");
    if constexpr (D == 2)
        PTX_90("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
                   ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "r"(at[0]), "r"(at[1])
               : "memory");
    if constexpr (D == 3)
        PTX_90("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(
                   ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "r"(at[0]), "r"(at[1]),
               "r"(at[2])
               : "memory");
    if constexpr (D == 4)
        PTX_90("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(
                   ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "r"(at[0]), "r"(at[1]),
               "r"(at[2]), "r"(at[3])
               : "memory");
    if constexpr (D == 5)
        PTX_90(
            "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::"
            "complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(
                ptx_shared(to)),
            "l"(map), "r"(ptx_shared(bar)), "r"(at[0]), "r"(at[1]), "r"(at[2]),
            "r"(at[3]), "r"(at[4])
            : "memory");
#endif
}

/* wrap copies of boxes to several blocks */
/* The same to each block of the cluster whose bit is set. */
template <int D>
PTX void ptx_tensor_load_all(void *to, const CUtensorMap *map, const int *at,
                             uint64_t *bar, unsigned blocks PTX_HERE)
{
#ifdef __LOOM__
    loom_tensor_load(to, map, D, at, bar, blocks, file, line);
#else
    static_assert(D >= 1 && D <= 5, "a tensor map has 1 to 5 dimensions");
    if constexpr (D == 1)
        PTX_90("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%4}], [%2], "
               "%3;" ::"r"(ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "h"((unsigned short)blocks),
               "r"(at[0])
               : "memory");
    if constexpr (D == 2)
        PTX_90("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5}], "
               "[%2], %3;" ::"r"(ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "h"((unsigned short)blocks),
               "r"(at[0]), "r"(at[1])
               : "memory");
    if constexpr (D == 3)
        PTX_90("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, "
               "%6}], [%2], %3;" ::"r"(ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "h"((unsigned short)blocks),
               "r"(at[0]), "r"(at[1]), "r"(at[2])
               : "memory");
    if constexpr (D == 4)
        PTX_90("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6, "
               "%7}], [%2], %3;" ::"r"(ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "h"((unsigned short)blocks),
               "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
               : "memory");
    if constexpr (D == 5)
        PTX_90("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes.multicast::cluster [%0], [%1, {%4, %5, %6, "
               "%7, %8}], [%2], %3;" ::"r"(ptx_shared(to)),
               "l"(map), "r"(ptx_shared(bar)), "h"((unsigned short)blocks),
               "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4])
               : "memory");
#endif
}

/* wrap copies of boxes from shared memory */
/* Starts to copy a box from shared to global memory; part of a group of this
   thread, as ptx_bulk_store is. at[0] >= 0: the H200 answers a store that begins
   before the row with an illegal instruction; a load may (tried 2026-11-23). */
template <int D>
PTX void ptx_tensor_store(const CUtensorMap *map, const int *at,
                          const void *from PTX_HERE)
{
#ifdef __LOOM__
    loom_tensor_store(map, D, at, from, 0, file, line);
#else
    static_assert(D >= 1 && D <= 5, "a tensor map has 1 to 5 dimensions");
    if constexpr (D == 1)
        PTX_90("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group "
               "[%0, {%2}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0])
               : "memory");
    if constexpr (D == 2)
        PTX_90("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
               "[%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1])
               : "memory");
    if constexpr (D == 3)
        PTX_90("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group "
               "[%0, {%2, %3, %4}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
               : "memory");
    if constexpr (D == 4)
        PTX_90("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group "
               "[%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]),
               "r"(at[3])
               : "memory");
    if constexpr (D == 5)
        PTX_90("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group "
               "[%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]),
               "r"(at[3]), "r"(at[4])
               : "memory");
#endif
}

/* wrap sums of boxes */
/* Starts to add a box to the one in global memory; part of a group of this
   thread, as ptx_bulk_store is. at[0] >= 0, as in ptx_tensor_store. */
template <int D>
PTX void ptx_tensor_add(const CUtensorMap *map, const int *at,
                        const void *from PTX_HERE)
{
#ifdef __LOOM__
    loom_tensor_store(map, D, at, from, 1, file, line);
#else
    static_assert(D >= 1 && D <= 5, "a tensor map has 1 to 5 dimensions");
    if constexpr (D == 1)
        PTX_90("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile."
               "bulk_group [%0, {%2}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0])
               : "memory");
    if constexpr (D == 2)
        PTX_90("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile."
               "bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1])
               : "memory");
    if constexpr (D == 3)
        PTX_90("cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile."
               "bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2])
               : "memory");
    if constexpr (D == 4)
        PTX_90("cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile."
               "bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]),
               "r"(at[3])
               : "memory");
    if constexpr (D == 5)
        PTX_90("cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile."
               "bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(map),
               "r"(ptx_shared(from)), "r"(at[0]), "r"(at[1]), "r"(at[2]),
               "r"(at[3]), "r"(at[4])
               : "memory");
#endif
}

/* wrap clusters */
/* This block's number in its cluster; how many blocks that has. Without clusters
   each block is one. */
PTX unsigned ptx_cluster_rank(void)
{
    unsigned rank = 0;

    PTX_90("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    PTX_LOOM(rank = loom_cluster_rank();)
    return rank;
}

PTX unsigned ptx_cluster_size(void)
{
    unsigned size = 1;

    PTX_90("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    PTX_LOOM(size = loom_cluster_size();)
    return size;
}

/* All threads of the cluster arrive; whoever waits goes on when all have, and
   what they wrote before can be read. */
PTX void ptx_cluster_arrive(PTX_SITE)
{
    PTX_90("barrier.cluster.arrive.release;" ::: "memory");
    PTX_LOOM(loom_cluster_arrive(file, line);)
}

PTX void ptx_cluster_wait(PTX_SITE)
{
    PTX_90("barrier.cluster.wait.acquire;" ::: "memory");
    PTX_LOOM(loom_cluster_wait(file, line);)
}

PTX void ptx_cluster_sync(PTX_SITE)
{
    PTX_90("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::
               : "memory");
    PTX_LOOM(loom_cluster_arrive(file, line); loom_cluster_wait(file, line);)
}

/* The same, but accesses before it are not made known to the other blocks. */
PTX void ptx_cluster_sync_relaxed(PTX_SITE)
{
    PTX_90("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait.acquire;" ::
               : "memory");
    PTX_LOOM(loom_cluster_arrive(file, line); loom_cluster_wait(file, line);)
}

/* Where the variable is in the shared memory of a block of the cluster. Loads,
   stores and atomics through the pointer reach it. */
template <class T>
PTX T *ptx_map(T *p, unsigned rank PTX_HERE)
{
    uint64_t there = 0;

    PTX_90("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    PTX_LOOM(there = (uint64_t)loom_map(p, rank, file, line);)
    return (T *)there;
}

/* wrap grids that overlap and registers */
/* Waits for the kernels that this one was allowed to overlap; allows the next. */
PTX void ptx_grid_wait(void)
{
    PTX_90("griddepcontrol.wait;" ::: "memory");
}

PTX void ptx_grid_launch(void)
{
    PTX_90("griddepcontrol.launch_dependents;" ::: "memory");
}

/* Fetches a tensor map, so that the first copy by it need not. */
PTX void ptx_prefetch_map(const CUtensorMap *map)
{
    PTX_90("prefetch.tensormap [%0];" ::"l"(map) : "memory");
    (void)map;
}

/* A warp group asks for N registers a thread, or gives back all but N. */
template <int N>
PTX void ptx_more_registers(void)
{
    PTX_90A("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N>
PTX void ptx_fewer_registers(void)
{
    PTX_90A("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

/* wrap loads of matrices */
/* N (1, 2, 4) matrices of 8 x 8 elements of 16 bits. Lane l holds the address of
   row l % 8 of matrix l / 8; it gets elements 2 (l % 4) and the next of row l / 4
   of each matrix, or of each column if TRANS. PTX ISA, ldmatrix. */
template <int N, int TRANS>
PTX void ptx_ldmatrix(unsigned *d, const void *row PTX_HERE)
{
    static_assert(N == 1 || N == 2 || N == 4, "1, 2 or 4 matrices");
#ifdef __LOOM__
    uint4 own = {};

    if (loom_laneid() < 8 * N)
        own = *(const uint4 *)row;
    loom_ldmatrix(d, N, TRANS, &own, file, line);
#else
    unsigned a = ptx_shared(row);

    if constexpr (N == 1 && !TRANS)
        PTX_80("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(d[0])
               : "r"(a)
               : "memory");
    if constexpr (N == 1 && TRANS)
        PTX_80("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(d[0])
               : "r"(a)
               : "memory");
    if constexpr (N == 2 && !TRANS)
        PTX_80("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a)
               : "memory");
    if constexpr (N == 2 && TRANS)
        PTX_80("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a)
               : "memory");
    if constexpr (N == 4 && !TRANS)
        PTX_80(
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
            : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
            : "r"(a)
            : "memory");
    if constexpr (N == 4 && TRANS)
        PTX_80("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, "
               "%3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(a)
               : "memory");
#endif
}

/* wrap stores of matrices */
/* The way back, compute capability 9.0: PTX ISA, stmatrix. */
template <int N, int TRANS>
PTX void ptx_stmatrix(void *row, const unsigned *d PTX_HERE)
{
    static_assert(N == 1 || N == 2 || N == 4, "1, 2 or 4 matrices");
#ifdef __LOOM__
    uint4 own = {};

    loom_stmatrix(&own, N, TRANS, d, file, line);
    if (loom_laneid() < 8 * N)
        *(uint4 *)row = own;
#else
    unsigned a = ptx_shared(row);

    if constexpr (N == 1 && !TRANS)
        PTX_90("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(a),
               "r"(d[0])
               : "memory");
    if constexpr (N == 1 && TRANS)
        PTX_90(
            "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(
                a),
            "r"(d[0])
            : "memory");
    if constexpr (N == 2 && !TRANS)
        PTX_90(
            "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(a),
            "r"(d[0]), "r"(d[1])
            : "memory");
    if constexpr (N == 2 && TRANS)
        PTX_90(
            "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::
                "r"(a),
            "r"(d[0]), "r"(d[1])
            : "memory");
    if constexpr (N == 4 && !TRANS)
        PTX_90("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, "
               "%4};" ::"r"(a),
               "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3])
               : "memory");
    if constexpr (N == 4 && TRANS)
        PTX_90("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, "
               "%3, %4};" ::"r"(a),
               "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3])
               : "memory");
#endif
}

/* wrap multiplications of matrices */
/* D = A B + C by a warp: A 16 x K, B K x 8, C and D 16 x 8. Lane l, with g = l / 4
   and t = l % 4, holds rows g and g + 8 of A and column g of B; of C and D the
   elements (g, 2 t), (g, 2 t + 1), (g + 8, 2 t), (g + 8, 2 t + 1). Which of K it holds:
   PTX ISA, "Matrix fragments for mma". d and c may be the same. */
#define PTX_MMA(name, least, shape, types, D, constraint, kind)              \
    PTX void name(D d[4], const unsigned a[4], const unsigned b[2],          \
                  const D c[4] PTX_HERE)                                     \
    {                                                                        \
        PTX_##least("mma.sync.aligned." shape ".row.col." types              \
                    " {%0, %1, %2, %3},"                                     \
                    " {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"     \
                    : "=" constraint(d[0]), "=" constraint(d[1]),            \
                      "=" constraint(d[2]), "=" constraint(d[3])             \
                    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), \
                      "r"(b[1]), constraint(c[0]), constraint(c[1]),         \
                      constraint(c[2]), constraint(c[3]));                   \
        PTX_LOOM(loom_mma(kind, d, a, b, c, file, line);)                    \
    }
PTX_MMA(ptx_mma_bf16, 80, "m16n8k16", "f32.bf16.bf16.f32", float, "f",
        LOOM_BF16)
PTX_MMA(ptx_mma_f16, 80, "m16n8k16", "f32.f16.f16.f32", float, "f", LOOM_F16)
PTX_MMA(ptx_mma_tf32, 80, "m16n8k8", "f32.tf32.tf32.f32", float, "f", LOOM_TF32)
PTX_MMA(ptx_mma_e4m3, 89, "m16n8k32", "f32.e4m3.e4m3.f32", float, "f",
        LOOM_E4M3)
PTX_MMA(ptx_mma_e5m2, 89, "m16n8k32", "f32.e5m2.e5m2.f32", float, "f",
        LOOM_E5M2)
PTX_MMA(ptx_mma_s8, 80, "m16n8k32", "s32.s8.s8.s32", int, "r", LOOM_S8)

/* The same for doubles: A 8 x 4, B 4 x 8, C and D 8 x 8. Lane l has element
   (l / 4, l % 4) of A, (l % 4, l / 4) of B, and (l / 4, 2 (l % 4)) and the next of
   C and D. */
PTX void ptx_mma_f64(double d[2], double a, double b,
                     const double c[2] PTX_HERE)
{
    PTX_80("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, "
           "{%3}, {%4, %5};"
           : "=d"(d[0]), "=d"(d[1])
           : "d"(a), "d"(b), "d"(c[0]), "d"(c[1]));
    PTX_LOOM(loom_mma(LOOM_F64, d, &a, &b, c, file, line);)
}

/* A float rounded to tf32: 10 bits behind the point, ties away from zero. */
PTX unsigned ptx_tf32(float x)
{
    unsigned r = 0;

    PTX_80("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
    PTX_LOOM(r = loom_tf32(x);)
    return r;
}

/* wrap barriers of some warps */
/* Waits until `threads` threads, a multiple of 32, have come to barrier ID, 1 to 15.
   All lanes of a warp come together. What was written before can then be read.
   PTX ISA, bar. */
template <int ID>
PTX void ptx_barrier(unsigned threads PTX_HERE)
{
    static_assert(ID >= 1 && ID <= 15, "barrier 0 is __syncthreads");
    PTX_80("bar.sync %0, %1;" ::"n"(ID), "r"(threads) : "memory");
    PTX_LOOM(loom_barrier_part(ID, threads, file, line);)
}

/* The same for a number that only the running program knows. */
PTX void ptx_barrier_at(unsigned id, unsigned threads PTX_HERE)
{
    PTX_80("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
    PTX_LOOM(loom_barrier_part(id, threads, file, line);)
}

/* wrap descriptors of matrices */
/* Describes a matrix in shared memory for ptx_wgmma: its start, distances in
   bytes, its swizzle as the tensor map has it. What they mean: PTX ISA, "Shared
   Memory Matrix Layout" of wgmma. Adding n / 16 moves the start by n bytes. */
PTX uint64_t ptx_matrix(const void *start, unsigned leading, unsigned stride,
                        CUtensorMapSwizzle swizzle)
{
    uint64_t mode =
        swizzle == CU_TENSOR_MAP_SWIZZLE_NONE ? 0 : 4 - (int)swizzle;
#ifdef __LOOM__
    unsigned most = 0xfffff; /* Loom's shared memory begins where it may */
#else
    unsigned most = 0x3ffff;
#endif

    return (uint64_t)((ptx_shared(start) & most) >> 4) |
           (uint64_t)((leading & 0x3ffff) >> 4) << 16 |
           (uint64_t)((stride & 0x3ffff) >> 4) << 32 | mode << 62;
}

/* wrap multiplications of warpgroups */
/* Before the first ptx_wgmma, and after the threads have touched registers that
   the next one uses: orders the one before the other. */
PTX void ptx_wgmma_fence(PTX_SITE)
{
    PTX_90A("wgmma.fence.sync.aligned;" ::: "memory");
    PTX_LOOM(loom_wgmma_fence(file, line);)
}

/* Closes the warp's group of multiplications. */
PTX void ptx_wgmma_commit(PTX_SITE)
{
    PTX_90A("wgmma.commit_group.sync.aligned;" ::: "memory");
    PTX_LOOM(loom_wgmma_commit(file, line);)
}

/* Returns when all groups but the last KEEP are done: their sums may be read,
   and what they have read in shared memory may be overwritten. */
template <int KEEP>
PTX void ptx_wgmma_wait(PTX_SITE)
{
    PTX_90A("wgmma.wait_group.sync.aligned %0;" ::"n"(KEEP) : "memory");
    PTX_LOOM(loom_wgmma_wait(KEEP, file, line);)
}

/* Keeps the compiler from moving uses of these registers across this place: they
   belong to a multiplication that goes on, of which it knows nothing. */
template <int COUNT>
PTX void ptx_hold(float *d)
{
#ifdef __LOOM__
    (void)d;
#else
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        asm volatile("" : "+f"(d[i])::"memory");
#endif
}

/* list registers for the assembler */
#define PTX_R16 \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define PTX_R32                                                              \
    PTX_R16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, " \
            "%28, %29, %30, %31"
#define PTX_R48                                                              \
    PTX_R32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, " \
            "%44, %45, %46, %47"
#define PTX_R64                                                              \
    PTX_R48 ", %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, " \
            "%60, %61, %62, %63"
#define PTX_R80                                                              \
    PTX_R64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, " \
            "%76, %77, %78, %79"
#define PTX_R96                                                              \
    PTX_R80 ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, " \
            "%92, %93, %94, %95"
#define PTX_R112                                                         \
    PTX_R96 ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, " \
            "%106, %107, %108, %109, %110, %111"
#define PTX_R128                                                        \
    PTX_R112 ", %112, %113, %114, %115, %116, %117, %118, %119, %120, " \
             "%121, %122, %123, %124, %125, %126, %127"
#define PTX_D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define PTX_D16(i) PTX_D4(i), PTX_D4(i + 4), PTX_D4(i + 8), PTX_D4(i + 12)
#define PTX_D32 PTX_D16(0), PTX_D16(16)
#define PTX_D64 PTX_D32, PTX_D16(32), PTX_D16(48)
#define PTX_D96 PTX_D64, PTX_D16(64), PTX_D16(80)
#define PTX_D128 PTX_D96, PTX_D16(96), PTX_D16(112)

/* wrap a multiplication of a warpgroup */
/* Starts D = A B + D, or D = A B where add is 0, by a warpgroup: A 64 x 16 and B
   16 x N in shared memory, of bf16, D 64 x N in registers: d[i] of lane l of warp w is
   element (16 w + l / 4 + i / 2 % 2 * 8, i / 4 * 8 + l % 4 * 2 + i % 2). TURNED_A: rows run
   along A's rows in memory, and not k; TURNED_B: columns do. Compute capability
   9.0a. PTX ISA, wgmma.mma_async. */
#define PTX_WGMMA(N, REGISTERS, a_, b_, add_, ta_, tb_, ...)              \
    PTX_90A("{ .reg .pred p; setp.ne.b32 p, %" add_ ", 0;\n"              \
            "wgmma.mma_async.sync.aligned.m64n" N "k16.f32.bf16.bf16 "    \
            "{" REGISTERS "}, %" a_ ", %" b_ ", p, 1, 1, %" ta_ ", %" tb_ \
            "; }"                                                         \
            : __VA_ARGS__                                                 \
            : "l"(a), "l"(b), "r"(add), "n"(TURNED_A), "n"(TURNED_B))
template <int N, int TURNED_A, int TURNED_B>
PTX void ptx_wgmma(float *d, uint64_t a, uint64_t b, int add PTX_HERE)
{
    static_assert(N == 64 || N == 128 || N == 192 || N == 256, "as below");
#ifdef __LOOM__
    loom_wgmma(d, N, a, b, add, TURNED_A, TURNED_B, file, line);
#elif defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __trap(); /* compiled for another GPU */
#else
    if constexpr (N == 64)
        PTX_WGMMA("64", PTX_R32, "32", "33", "34", "35", "36", PTX_D32);
    if constexpr (N == 128)
        PTX_WGMMA("128", PTX_R64, "64", "65", "66", "67", "68", PTX_D64);
    if constexpr (N == 192)
        PTX_WGMMA("192", PTX_R96, "96", "97", "98", "99", "100", PTX_D96);
    if constexpr (N == 256)
        PTX_WGMMA("256", PTX_R128, "128", "129", "130", "131", "132", PTX_D128);
#endif
}

/* make tensor maps */
/* A map of an array of `dims` dimensions, the innermost first: sizes in elements,
   strides in bytes of all but the first, and the sides of a box. Returns 0, or
   what is wrong as the driver numbers it. cuTensorMapEncodeTiled. */
static inline int ptx_tensor_map(CUtensorMap *map, CUtensorMapDataType type,
                                 unsigned dims, void *start,
                                 const uint64_t *size, const uint64_t *stride,
                                 const unsigned *box,
                                 CUtensorMapSwizzle swizzle,
                                 CUtensorMapFloatOOBfill fill)
{
    const unsigned step[5] = {1, 1, 1, 1, 1};
#ifdef __LOOM__
    auto encode = cuTensorMapEncodeTiled;
#else
    decltype(&cuTensorMapEncodeTiled) encode = NULL;
    cudaDriverEntryPointQueryResult found;

#if CUDART_VERSION >= 12050
    if (cudaGetDriverEntryPointByVersion(
            "cuTensorMapEncodeTiled", (void **)&encode, 12000,
            cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess)
#else
    if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&encode,
                                cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess)
#endif
        return 1;
#endif
    return (int)encode(map, type, dims, start, (const cuuint64_t *)size,
                       (const cuuint64_t *)stride, box, step,
                       CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                       CU_TENSOR_MAP_L2_PROMOTION_L2_128B, fill);
}
#endif

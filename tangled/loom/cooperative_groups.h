/* cooperative_groups.h: groups of threads as objects. */
#ifndef LOOM_COOPERATIVE_GROUPS_H
#define LOOM_COOPERATIVE_GROUPS_H

#include "loom/cuda_runtime.h"

namespace cooperative_groups
{
#define LOOM_MEMBER(R, declared, value) \
    R declared                          \
    {                                   \
        return value;                   \
    }

/* define the group of a block */
static inline unsigned int loom_count(dim3 n)
{
    return n.x * n.y * n.z;
}

struct thread_block {
    static void sync(LOOM_HERE)
    {
        loom_syncthreads(file, line);
    }
    LOOM_MEMBER(static unsigned int, thread_rank(), loom_here.number)
    LOOM_MEMBER(static unsigned int, num_threads(), loom_count(blockDim))
    LOOM_MEMBER(static unsigned int, size(), num_threads())
    LOOM_MEMBER(static dim3, group_index(), blockIdx)
    LOOM_MEMBER(static dim3, thread_index(), threadIdx)
    LOOM_MEMBER(static dim3, dim_threads(), blockDim)
    LOOM_MEMBER(static dim3, group_dim(), blockDim)
};
LOOM_MEMBER(static inline thread_block, this_thread_block(), thread_block())

LOOM_LACKS("this_cluster") thread_block this_cluster();
typedef thread_block cluster_group
    __attribute__((unavailable("Loom lacks cluster_group so far")));

/* define the group of a grid */
struct grid_group {
    typedef unsigned long long number;

    void sync(LOOM_HERE) const
    {
        loom_barrier(LOOM_GRID, 0, file, line);
    }
    LOOM_MEMBER(bool, is_valid() const, loom_is_cooperative())
    LOOM_MEMBER(number, block_rank() const,
                (blockIdx.z * gridDim.y + blockIdx.y) * (number)gridDim.x +
                    blockIdx.x)
    LOOM_MEMBER(number, num_blocks() const, (number)loom_count(gridDim))
    LOOM_MEMBER(number, num_threads() const,
                num_blocks() * loom_count(blockDim))
    LOOM_MEMBER(number, size() const, num_threads())
    LOOM_MEMBER(number, thread_rank() const,
                block_rank() * loom_count(blockDim) + loom_here.number)
    LOOM_MEMBER(dim3, group_dim() const, gridDim)
    LOOM_MEMBER(dim3, dim_blocks() const, gridDim)
    LOOM_MEMBER(dim3, block_index() const, blockIdx)
};
LOOM_MEMBER(static inline grid_group, this_grid(), grid_group())

/* define groups of lanes */
struct loom_lanes {
    unsigned int mask;

    void sync(LOOM_HERE) const
    {
        __syncwarp(mask, file, line);
    }
    LOOM_MEMBER(unsigned int, num_threads() const, __popc(mask))
    LOOM_MEMBER(unsigned int, size() const, num_threads())
    LOOM_MEMBER(unsigned int, thread_rank() const,
                __popc(((1u << loom_laneid()) - 1) & this->mask))
    /* vote in a group of lanes */
    unsigned int pack(unsigned int lanes) const
    {
        unsigned int packed = 0, rank = 0;

        for (unsigned int m = mask; m; m &= m - 1, rank++)
            packed |= (lanes & m & -m) ? 1u << rank : 0;
        return packed;
    }
    LOOM_MEMBER(unsigned int, ballot(int vote, LOOM_HERE) const,
                pack(__ballot_sync(mask, vote, file, line)))
    LOOM_MEMBER(int, any(int vote, LOOM_HERE) const,
                __any_sync(mask, vote, file, line))
    LOOM_MEMBER(int, all(int vote, LOOM_HERE) const,
                __all_sync(mask, vote, file, line))
    template <class T>
    LOOM_MEMBER(unsigned int, match_any(T value, LOOM_HERE) const,
                pack(__match_any_sync(mask, value, file, line)))
};

/* define tiles */
#define LOOM_TILE_SHUFFLE(name, T2, way)          \
    template <class T>                            \
    LOOM_MEMBER(                                  \
        T, name(T value, T2 by, LOOM_HERE) const, \
        loom_shuffle(mask, value, loom_source(way, by, N), file, line))

template <unsigned int N, class Parent = void>
struct thread_block_tile : loom_lanes {
    static_assert(N > 0 && N <= 32 && (N & (N - 1)) == 0,
                  "Loom lacks tiles of other sizes than 1, 2, 4, 8, 16"
                  " and 32 threads so far");
    unsigned int rank_in_parent, parent_size;

    LOOM_TILE_SHUFFLE(shfl, int, LOOM_TO)
    LOOM_TILE_SHUFFLE(shfl_up, unsigned int, LOOM_UP)
    LOOM_TILE_SHUFFLE(shfl_down, unsigned int, LOOM_DOWN)
    LOOM_TILE_SHUFFLE(shfl_xor, int, LOOM_ACROSS)
    LOOM_MEMBER(static constexpr unsigned int, num_threads(), N)
    LOOM_MEMBER(static constexpr unsigned int, size(), N)
    LOOM_MEMBER(unsigned int, thread_rank() const, loom_laneid() % N)
    LOOM_MEMBER(unsigned int, meta_group_rank() const, rank_in_parent / N)
    LOOM_MEMBER(unsigned int, meta_group_size() const,
                (parent_size + N - 1) / N)
};
template <unsigned int N, class Parent>
thread_block_tile<N, Parent> tiled_partition(const Parent &parent)
{
    thread_block_tile<N, Parent> tile;
    unsigned int low = loom_laneid() & ~(N - 1);

    tile.mask = (N == 32 ? ~0u : ((1u << N % 32) - 1) << low);
    tile.rank_in_parent = parent.thread_rank();
    tile.parent_size = parent.num_threads();
    return tile;
}

/* define the group of active lanes */
struct coalesced_group : loom_lanes {
    template <class T>
    T shfl(T value, int rank, LOOM_HERE) const
    {
        unsigned int m = mask;

        while (rank-- > 0)
            m &= m - 1;
        return __shfl_sync(mask, value, __ffs((int)m) - 1, 32, file, line);
    }
    LOOM_MEMBER(int, rank() const, (int)thread_rank())
    template <class T>
    LOOM_MEMBER(T, shfl_up(T value, int by, LOOM_HERE) const,
                shfl(value, rank() - (rank() >= by ? by : 0), file, line))
    template <class T>
    LOOM_MEMBER(T, shfl_down(T value, int by, LOOM_HERE) const,
                shfl(value, rank() + (rank() + by < (int)size() ? by : 0), file,
                     line))
};
LOOM_MEMBER(static inline coalesced_group, coalesced_threads(LOOM_HERE),
            {{loom_active(file, line)}})

/* define the group that may be any */
struct thread_group {
    unsigned int mask; /* 0: the whole block */

    thread_group(const thread_block &) : mask(0)
    {
    }
    thread_group(const loom_lanes &g) : mask(g.mask)
    {
    }
    void sync(LOOM_HERE) const
    {
        if (mask)
            __syncwarp(mask, file, line);
        else
            loom_syncthreads(file, line);
    }
    LOOM_MEMBER(unsigned int, num_threads() const,
                mask ? loom_lanes{mask}.num_threads()
                     : thread_block::num_threads())
    LOOM_MEMBER(unsigned int, size() const, num_threads())
    LOOM_MEMBER(unsigned int, thread_rank() const,
                mask ? loom_lanes{mask}.thread_rank()
                     : thread_block::thread_rank())
};
static inline thread_group tiled_partition(const thread_group &g,
                                           unsigned int n, LOOM_HERE)
{
    loom_lanes all = {g.mask ? g.mask : ~0u}, part = {0};
    unsigned int mine = all.thread_rank(), rank = 0;

    if (n == 0 || n > 32 || (n & (n - 1)))
        loom_fail({file, line}, cudaErrorInvalidValue,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads, not %u", n);
    for (unsigned int m = all.mask; m; m &= m - 1, rank++)
        if (rank / n == mine / n)
            part.mask |= m & -m;
    return part;
}

template <class Group>
void sync(const Group &g, LOOM_HERE)
{
    g.sync(file, line);
}
} // namespace cooperative_groups
#endif

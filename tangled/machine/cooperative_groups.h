/* cooperative_groups.h: groups of threads as objects. */
#ifndef MACHINE_COOPERATIVE_GROUPS_H
#define MACHINE_COOPERATIVE_GROUPS_H

#include "machine/cuda_runtime.h"

namespace cooperative_groups
{
#define SIMT_MEMBER(R, declared, value) \
    R declared                          \
    {                                   \
        return value;                   \
    }

/* define the group of a block */
static inline unsigned int simt_count(dim3 n)
{
    return n.x * n.y * n.z;
}

struct thread_block {
    static void sync(SIMT_HERE)
    {
        simt_syncthreads(file, line);
    }
    SIMT_MEMBER(static unsigned int, thread_rank(), simt_here.number)
    SIMT_MEMBER(static unsigned int, num_threads(), simt_count(blockDim))
    SIMT_MEMBER(static unsigned int, size(), num_threads())
    SIMT_MEMBER(static dim3, group_index(), blockIdx)
    SIMT_MEMBER(static dim3, thread_index(), threadIdx)
    SIMT_MEMBER(static dim3, dim_threads(), blockDim)
    SIMT_MEMBER(static dim3, group_dim(), blockDim)
};
SIMT_MEMBER(static inline thread_block, this_thread_block(), thread_block())

SIMT_LACKS("this_cluster") thread_block this_cluster();
typedef thread_block cluster_group
    __attribute__((unavailable("the machine lacks cluster_group so far")));

/* define the group of a grid */
struct grid_group {
    typedef unsigned long long number;

    void sync(SIMT_HERE) const
    {
        simt_barrier(SIMT_GRID, 0, file, line);
    }
    SIMT_MEMBER(bool, is_valid() const, simt_is_cooperative())
    SIMT_MEMBER(number, block_rank() const,
                (blockIdx.z * gridDim.y + blockIdx.y) * (number)gridDim.x +
                    blockIdx.x)
    SIMT_MEMBER(number, num_blocks() const, (number)simt_count(gridDim))
    SIMT_MEMBER(number, num_threads() const,
                num_blocks() * simt_count(blockDim))
    SIMT_MEMBER(number, size() const, num_threads())
    SIMT_MEMBER(number, thread_rank() const,
                block_rank() * simt_count(blockDim) + simt_here.number)
    SIMT_MEMBER(dim3, group_dim() const, gridDim)
    SIMT_MEMBER(dim3, dim_blocks() const, gridDim)
    SIMT_MEMBER(dim3, block_index() const, blockIdx)
};
SIMT_MEMBER(static inline grid_group, this_grid(), grid_group())

/* define groups of lanes */
struct simt_lanes {
    unsigned int mask;

    void sync(SIMT_HERE) const
    {
        __syncwarp(mask, file, line);
    }
    SIMT_MEMBER(unsigned int, num_threads() const, __popc(mask))
    SIMT_MEMBER(unsigned int, size() const, num_threads())
    SIMT_MEMBER(unsigned int, thread_rank() const,
                __popc(((1u << simt_laneid()) - 1) & this->mask))
    /* vote in a group of lanes */
    unsigned int pack(unsigned int lanes) const
    {
        unsigned int packed = 0, rank = 0;

        for (unsigned int m = mask; m; m &= m - 1, rank++)
            packed |= (lanes & m & -m) ? 1u << rank : 0;
        return packed;
    }
    SIMT_MEMBER(unsigned int, ballot(int vote, SIMT_HERE) const,
                pack(__ballot_sync(mask, vote, file, line)))
    SIMT_MEMBER(int, any(int vote, SIMT_HERE) const,
                __any_sync(mask, vote, file, line))
    SIMT_MEMBER(int, all(int vote, SIMT_HERE) const,
                __all_sync(mask, vote, file, line))
    template <class T>
    SIMT_MEMBER(unsigned int, match_any(T value, SIMT_HERE) const,
                pack(__match_any_sync(mask, value, file, line)))
};

/* define tiles */
#define SIMT_TILE_SHUFFLE(name, T2, way)          \
    template <class T>                            \
    SIMT_MEMBER(                                  \
        T, name(T value, T2 by, SIMT_HERE) const, \
        simt_shuffle(mask, value, simt_source(way, by, N), file, line))

template <unsigned int N, class Parent = void>
struct thread_block_tile : simt_lanes {
    static_assert(N > 0 && N <= 32 && (N & (N - 1)) == 0,
                  "the machine lacks tiles of other sizes than 1, 2, 4, 8, 16"
                  " and 32 threads so far");
    unsigned int rank_in_parent, parent_size;

    SIMT_TILE_SHUFFLE(shfl, int, SIMT_TO)
    SIMT_TILE_SHUFFLE(shfl_up, unsigned int, SIMT_UP)
    SIMT_TILE_SHUFFLE(shfl_down, unsigned int, SIMT_DOWN)
    SIMT_TILE_SHUFFLE(shfl_xor, int, SIMT_ACROSS)
    SIMT_MEMBER(static constexpr unsigned int, num_threads(), N)
    SIMT_MEMBER(static constexpr unsigned int, size(), N)
    SIMT_MEMBER(unsigned int, thread_rank() const, simt_laneid() % N)
    SIMT_MEMBER(unsigned int, meta_group_rank() const, rank_in_parent / N)
    SIMT_MEMBER(unsigned int, meta_group_size() const,
                (parent_size + N - 1) / N)
};
template <unsigned int N, class Parent>
thread_block_tile<N, Parent> tiled_partition(const Parent &parent)
{
    thread_block_tile<N, Parent> tile;
    unsigned int low = simt_laneid() & ~(N - 1);

    tile.mask = (N == 32 ? ~0u : ((1u << N % 32) - 1) << low);
    tile.rank_in_parent = parent.thread_rank();
    tile.parent_size = parent.num_threads();
    return tile;
}

/* define the group of active lanes */
struct coalesced_group : simt_lanes {
    template <class T>
    T shfl(T value, int rank, SIMT_HERE) const
    {
        unsigned int m = mask;

        while (rank-- > 0)
            m &= m - 1;
        return __shfl_sync(mask, value, __ffs((int)m) - 1, 32, file, line);
    }
    SIMT_MEMBER(int, rank() const, (int)thread_rank())
    template <class T>
    SIMT_MEMBER(T, shfl_up(T value, int by, SIMT_HERE) const,
                shfl(value, rank() - (rank() >= by ? by : 0), file, line))
    template <class T>
    SIMT_MEMBER(T, shfl_down(T value, int by, SIMT_HERE) const,
                shfl(value, rank() + (rank() + by < (int)size() ? by : 0), file,
                     line))
};
SIMT_MEMBER(static inline coalesced_group, coalesced_threads(SIMT_HERE),
            {{simt_active(file, line)}})

/* define the group that may be any */
struct thread_group {
    unsigned int mask; /* 0: the whole block */

    thread_group(const thread_block &) : mask(0)
    {
    }
    thread_group(const simt_lanes &g) : mask(g.mask)
    {
    }
    void sync(SIMT_HERE) const
    {
        if (mask)
            __syncwarp(mask, file, line);
        else
            simt_syncthreads(file, line);
    }
    SIMT_MEMBER(unsigned int, num_threads() const,
                mask ? simt_lanes{mask}.num_threads()
                     : thread_block::num_threads())
    SIMT_MEMBER(unsigned int, size() const, num_threads())
    SIMT_MEMBER(unsigned int, thread_rank() const,
                mask ? simt_lanes{mask}.thread_rank()
                     : thread_block::thread_rank())
};
static inline thread_group tiled_partition(const thread_group &g,
                                           unsigned int n, SIMT_HERE)
{
    simt_lanes all = {g.mask ? g.mask : ~0u}, part = {0};
    unsigned int mine = all.thread_rank(), rank = 0;

    if (n == 0 || n > 32 || (n & (n - 1)))
        simt_fail({file, line}, cudaErrorInvalidValue,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads, not %u", n);
    for (unsigned int m = all.mask; m; m &= m - 1, rank++)
        if (rank / n == mine / n)
            part.mask |= m & -m;
    return part;
}

template <class Group>
void sync(const Group &g, SIMT_HERE)
{
    g.sync(file, line);
}
} // namespace cooperative_groups
#endif

/* cooperative_groups.h: groups of threads as objects. */
#ifndef MACHINE_COOPERATIVE_GROUPS_H
#define MACHINE_COOPERATIVE_GROUPS_H

#include "machine/cuda_runtime.h"

namespace cooperative_groups
{

/* refuse groups that are missing */
#define SIMT_LACKS_GROUP(name) \
    struct simt_lacks_##name { \
        template <class... A>  \
        SIMT_LACKS(#name)      \
        void sync(A...);       \
    };                         \
    SIMT_LACKS(#name) simt_lacks_##name name();
SIMT_LACKS_GROUP(this_cluster)
SIMT_LACKS_GROUP(this_multi_grid)
typedef struct simt_cluster cluster_group
    __attribute__((unavailable("the machine lacks cluster_group so far")));

/* number the threads */
static inline unsigned int simt_rank(uint3 i, dim3 n)
{
    return (i.z * n.y + i.y) * n.x + i.x;
}
static inline unsigned int simt_count(dim3 n)
{
    return n.x * n.y * n.z;
}

/* define the group of a block */
struct thread_block {
    static void sync(SIMT_HERE)
    {
        simt_syncthreads(file, line);
    }
    static unsigned int thread_rank()
    {
        return simt_rank(threadIdx, blockDim);
    }
    static unsigned int num_threads()
    {
        return simt_count(blockDim);
    }
    static unsigned int size()
    {
        return num_threads();
    }
    /* tell where a block is */
    static dim3 group_index()
    {
        return blockIdx;
    }
    static dim3 thread_index()
    {
        return threadIdx;
    }
    static dim3 dim_threads()
    {
        return blockDim;
    }
    static dim3 group_dim()
    {
        return blockDim;
    }
};
static inline thread_block this_thread_block()
{
    return thread_block();
}
static inline void sync(const thread_block &, SIMT_HERE)
{
    simt_syncthreads(file, line);
}

/* define the group of a grid */
struct grid_group {
    void sync(SIMT_HERE) const
    {
        simt_barrier(SIMT_GRID, 0, file, line);
    }
    bool is_valid() const
    {
        return simt_is_cooperative();
    }
    unsigned long long block_rank() const
    {
        return simt_rank(blockIdx, gridDim);
    }
    unsigned long long num_blocks() const
    {
        return simt_count(gridDim);
    }
    unsigned long long num_threads() const
    {
        return num_blocks() * simt_count(blockDim);
    }
    /* tell where a thread of the grid is */
    unsigned long long size() const
    {
        return num_threads();
    }
    unsigned long long thread_rank() const
    {
        return block_rank() * simt_count(blockDim) +
               simt_rank(threadIdx, blockDim);
    }
    dim3 group_dim() const
    {
        return gridDim;
    }
    dim3 dim_blocks() const
    {
        return gridDim;
    }
    dim3 block_index() const
    {
        return blockIdx;
    }
};
static inline grid_group this_grid()
{
    return grid_group();
}

/* define groups of lanes */
struct simt_lanes {
    unsigned int mask;

    void sync(SIMT_HERE) const
    {
        __syncwarp(mask, file, line);
    }
    unsigned int num_threads() const
    {
        return (unsigned int)__popc(mask);
    }
    unsigned int size() const
    {
        return num_threads();
    }
    unsigned int thread_rank() const
    {
        return (unsigned int)__popc(mask & ((1u << simt_laneid()) - 1));
    }
    /* vote in a group of lanes */
    unsigned int pack(unsigned int lanes) const
    {
        unsigned int packed = 0, rank = 0;

        for (unsigned int m = mask; m; m &= m - 1, rank++)
            packed |= (lanes & m & -m) ? 1u << rank : 0;
        return packed;
    }
    unsigned int ballot(int vote, SIMT_HERE) const
    {
        return pack(__ballot_sync(mask, vote, file, line));
    }
    int any(int vote, SIMT_HERE) const
    {
        return __any_sync(mask, vote, file, line);
    }
    int all(int vote, SIMT_HERE) const
    {
        return __all_sync(mask, vote, file, line);
    }
    /* match in a group of lanes */
    template <class T>
    unsigned int match_any(T value, SIMT_HERE) const
    {
        return pack(__match_any_sync(mask, value, file, line));
    }
    template <class T>
    unsigned int match_all(T value, int &all, SIMT_HERE) const
    {
        return pack(__match_all_sync(mask, value, &all, file, line));
    }
};

/* define tiles */
#define SIMT_TILE_SHUFFLE(name, T2, way)                                       \
    template <class T>                                                         \
    T name(T value, T2 by, SIMT_HERE) const                                    \
    {                                                                          \
        return simt_shuffle(mask, value, simt_source(way, by, N), file, line); \
    }
template <unsigned int N, class Parent = void>
struct thread_block_tile : simt_lanes {
    static_assert(N > 0 && N <= 32 && (N & (N - 1)) == 0,
                  "the machine lacks tiles of other sizes than 1, 2, 4, 8, 16"
                  " and 32 threads so far");
    SIMT_TILE_SHUFFLE(shfl, int, SIMT_TO)
    SIMT_TILE_SHUFFLE(shfl_up, unsigned int, SIMT_UP)
    SIMT_TILE_SHUFFLE(shfl_down, unsigned int, SIMT_DOWN)
    SIMT_TILE_SHUFFLE(shfl_xor, int, SIMT_ACROSS)

    static constexpr unsigned int num_threads()
    {
        return N;
    }
    static constexpr unsigned int size()
    {
        return N;
    }
    unsigned int thread_rank() const
    {
        return simt_laneid() % N;
    }
    /* tell which of the tiles this is */
    unsigned int meta_group_rank() const
    {
        return rank_in_parent / N;
    }
    unsigned int meta_group_size() const
    {
        return (parent_size + N - 1) / N;
    }
    unsigned int rank_in_parent, parent_size;
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
        return __shfl_sync(mask, value, lane_of(rank), 32, file, line);
    }
    template <class T>
    T shfl_up(T value, int by, SIMT_HERE) const
    {
        int rank = (int)thread_rank();

        return shfl(value, rank >= by ? rank - by : rank, file, line);
    }
    template <class T>
    T shfl_down(T value, int by, SIMT_HERE) const
    {
        int rank = (int)thread_rank(), to = rank + by;

        return shfl(value, to < (int)num_threads() ? to : rank, file, line);
    }
    /* find the lane of a rank */
    int lane_of(int rank) const
    {
        unsigned int m = mask;

        while (rank-- > 0)
            m &= m - 1;
        return __ffs((int)m) - 1;
    }
};

static inline coalesced_group coalesced_threads(SIMT_HERE)
{
    coalesced_group g;

    g.mask = simt_active(file, line);
    return g;
}
template <class T>
coalesced_group labeled_partition(const simt_lanes &g, T label, SIMT_HERE)
{
    coalesced_group part;

    part.mask = __match_any_sync(g.mask, label, file, line);
    return part;
}
static inline coalesced_group binary_partition(const simt_lanes &g, bool side,
                                               SIMT_HERE)
{
    unsigned int yes = __ballot_sync(g.mask, side, file, line);
    coalesced_group part;

    part.mask = side ? yes : g.mask & ~yes;
    return part;
}

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
    unsigned int num_threads() const
    {
        return mask ? simt_lanes{mask}.num_threads()
                    : thread_block::num_threads();
    }
    /* tell the rank in any group */
    unsigned int size() const
    {
        return num_threads();
    }
    unsigned int thread_rank() const
    {
        return mask ? simt_lanes{mask}.thread_rank()
                    : thread_block::thread_rank();
    }
};
static inline thread_group tiled_partition(const thread_group &g,
                                           unsigned int n, SIMT_HERE)
{
    unsigned int low = g.thread_rank() / n * n, rank = 0, part = 0;

    if (n == 0 || n > 32 || (n & (n - 1)))
        simt_fail({file, line}, cudaErrorInvalidValue,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads, not %u", n);
    if (!g.mask)
        return simt_lanes{
            n == 32 ? ~0u : ((1u << n) - 1) << (simt_laneid() & ~(n - 1))};
    for (unsigned int m = g.mask; m; m &= m - 1, rank++)
        if (rank >= low && rank < low + n)
            part |= m & -m;
    return simt_lanes{part};
}
static inline void sync(const thread_group &g, SIMT_HERE)
{
    g.sync(file, line);
}
} // namespace cooperative_groups

#endif

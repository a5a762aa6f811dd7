/* cooperative_groups.h: groups of threads as objects. */
#ifndef LOOM_COOPERATIVE_GROUPS_H
#define LOOM_COOPERATIVE_GROUPS_H

#include "loom/cuda_runtime.h"
#include "loom/tiles.h"

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

/* define the group of a cluster */
struct cluster_group {
    static void barrier_arrive(LOOM_HERE)
    {
        loom_cluster_arrive(file, line);
    }
    static void barrier_wait(LOOM_HERE)
    {
        loom_cluster_wait(file, line);
    }
    static void sync(LOOM_HERE)
    {
        loom_cluster_arrive(file, line);
        loom_cluster_wait(file, line);
    }
    template <class T>
    static T *map_shared_rank(T *p, int rank, LOOM_HERE)
    {
        return (T *)loom_map(p, (unsigned)rank, file, line);
    }
    LOOM_MEMBER(static unsigned int, query_shared_rank(const void *p),
                loom_rank_of(p))
    LOOM_MEMBER(static unsigned int, block_rank(), loom_cluster_rank())
    LOOM_MEMBER(static unsigned int, num_blocks(), loom_cluster_size())
    LOOM_MEMBER(static dim3, dim_blocks(), loom_cluster_shape())
    LOOM_MEMBER(static dim3, block_index(),
                dim3(blockIdx.x % dim_blocks().x, blockIdx.y % dim_blocks().y,
                     blockIdx.z % dim_blocks().z))
    LOOM_MEMBER(static unsigned int, num_threads(),
                num_blocks() * loom_count(blockDim))
    LOOM_MEMBER(static unsigned int, size(), num_threads())
    LOOM_MEMBER(static unsigned int, thread_rank(),
                block_rank() * loom_count(blockDim) + loom_here.number)
};
LOOM_MEMBER(static inline cluster_group, this_cluster(), cluster_group())

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
template <class T>
T loom_exchange(unsigned int mask, const T &value, unsigned int source,
                const char *file, int line)
{
    uint64_t word[(sizeof(T) + 7) / 8] = {};
    T got;

    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                  "a group shuffles what can be copied as bytes, 32 at most");
    memcpy(word, &value, sizeof value);
    for (uint64_t &w : word)
        w = loom_meet(LOOM_SHUFFLE, mask, w, source, file, line);
    memcpy((void *)&got, word, sizeof got);
    return got;
}

struct loom_lanes {
    unsigned int mask, part = 0, parts = 1;

    void sync(LOOM_HERE) const
    {
        __syncwarp(mask, file, line);
    }
    /* to arrive is nothing here: the wait does all */
    struct arrival_token {
    };
    LOOM_MEMBER(arrival_token, barrier_arrive() const, arrival_token())
    void barrier_wait(arrival_token &&, LOOM_HERE) const
    {
        sync(file, line);
    }
    LOOM_MEMBER(unsigned int, num_threads() const, __popc(mask))
    LOOM_MEMBER(unsigned int, size() const, num_threads())
    LOOM_MEMBER(unsigned int, thread_rank() const,
                __popc(((1u << loom_laneid()) - 1) & this->mask))
    LOOM_MEMBER(unsigned int, meta_group_rank() const, part)
    LOOM_MEMBER(unsigned int, meta_group_size() const, parts)
    /* vote in a group of lanes */
    unsigned int pack(unsigned int lanes) const
    {
        unsigned int packed = 0, rank = 0;

        for (unsigned int m = mask; m; m &= m - 1, rank++)
            packed |= (lanes & m & -m) ? 1u << rank : 0;
        return packed;
    }
    /* The lane of a rank. */
    unsigned int lane_of(unsigned int rank) const
    {
        unsigned int m = mask;

        while (rank-- > 0 && (m & (m - 1)))
            m &= m - 1;
        return (unsigned int)__ffs((int)m) - 1;
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
    template <class T>
    unsigned int match_all(T value, int &all, LOOM_HERE) const
    {
        return pack(__match_all_sync(mask, value, &all, file, line));
    }
};

/* define tiles */
#define LOOM_TILE_SHUFFLE(name, T2, way)                                 \
    template <class T>                                                   \
    typename std::decay<T>::type name(T &&value, T2 by, LOOM_HERE) const \
    {                                                                    \
        return loom_exchange<typename std::decay<T>::type>(              \
            mask, value, loom_source(way, by, N), file, line);           \
    }

template <unsigned int N, bool InWarp = (N <= 32)>
struct loom_tile : loom_lanes {
    static_assert(N > 0 && (N & (N - 1)) == 0,
                  "a tile has 1, 2, 4, 8, ... or 1024 threads");
    LOOM_TILE_SHUFFLE(shfl, int, LOOM_TO)
    LOOM_TILE_SHUFFLE(shfl_up, unsigned int, LOOM_UP)
    LOOM_TILE_SHUFFLE(shfl_down, unsigned int, LOOM_DOWN)
    LOOM_TILE_SHUFFLE(shfl_xor, int, LOOM_ACROSS)
    LOOM_MEMBER(static constexpr unsigned int, num_threads(), N)
    LOOM_MEMBER(static constexpr unsigned int, size(), N)
    LOOM_MEMBER(static unsigned int, thread_rank(), loom_laneid() % N)
};

template <unsigned int N, class Parent = void>
struct thread_block_tile : loom_tile<N> {
    thread_block_tile(const loom_tile<N> &tile) : loom_tile<N>(tile)
    {
    }
};
template <unsigned int N>
struct loom_tile<N, false> {
    static_assert(N <= 1024 && (N & (N - 1)) == 0,
                  "a tile has 1, 2, 4, 8, ... or 1024 threads");
    unsigned int part, parts;

    void sync(LOOM_HERE) const
    {
        loom_tile_sync(N, file, line);
    }
    LOOM_MEMBER(static constexpr unsigned int, num_threads(), N)
    LOOM_MEMBER(static constexpr unsigned int, size(), N)
    LOOM_MEMBER(static unsigned int, thread_rank(), loom_here.number % N)
    LOOM_MEMBER(unsigned int, meta_group_rank() const, part)
    LOOM_MEMBER(unsigned int, meta_group_size() const, parts)
    template <class T>
    T shfl(const T &value, int rank, LOOM_HERE) const
    {
        T got;

        static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                      "a group shuffles what can be copied as bytes, 32 at "
                      "most");
        loom_tile_share(N, (unsigned)rank % N, &value, (void *)&got, sizeof got,
                        file, line);
        return got;
    }
    int any(int vote, LOOM_HERE) const
    {
        return loom_tile_count(N, vote != 0, file, line) > 0;
    }
    int all(int vote, LOOM_HERE) const
    {
        return loom_tile_count(N, vote == 0, file, line) == 0;
    }
};

template <unsigned int N, class Parent>
thread_block_tile<N, Parent> tiled_partition(const Parent &parent)
{
    loom_tile<N> tile;

    if constexpr (N <= 32)
        tile.mask =
            N == 32 ? ~0u : ((1u << N % 32) - 1) << (loom_laneid() & ~(N - 1));
    tile.part = parent.thread_rank() / N;
    tile.parts = (parent.num_threads() + N - 1) / N;
    return tile;
}
template <unsigned int Size = 1024>
struct block_tile_memory {
    unsigned char unused[8];
};

template <unsigned int Size>
LOOM_MEMBER(thread_block, this_thread_block(block_tile_memory<Size> &),
            thread_block())

/* define the group of active lanes */
struct coalesced_group : loom_lanes {
    coalesced_group(const loom_lanes &lanes) : loom_lanes(lanes)
    {
    }
    template <class T>
    T shfl(const T &value, int rank, LOOM_HERE) const
    {
        return loom_exchange<T>(mask, value, lane_of((unsigned)rank), file,
                                line);
    }
    LOOM_MEMBER(int, rank() const, (int)thread_rank())
    template <class T>
    LOOM_MEMBER(T, shfl_up(const T &value, int by, LOOM_HERE) const,
                shfl(value, rank() - (rank() >= by ? by : 0), file, line))
    template <class T>
    LOOM_MEMBER(T, shfl_down(const T &value, int by, LOOM_HERE) const,
                shfl(value, rank() + (rank() + by < (int)size() ? by : 0), file,
                     line))
};

static inline loom_lanes loom_some(unsigned int mask, unsigned int part = 0,
                                   unsigned int parts = 1)
{
    loom_lanes lanes;

    lanes.mask = mask;
    lanes.part = part;
    lanes.parts = parts;
    return lanes;
}
LOOM_MEMBER(static inline coalesced_group, coalesced_threads(LOOM_HERE),
            loom_some(loom_active(file, line)))
static inline coalesced_group binary_partition(const loom_lanes &g, bool side,
                                               LOOM_HERE)
{
    unsigned int yes = __ballot_sync(g.mask, side, file, line);

    return loom_some(side ? yes : g.mask & ~yes, side, 2);
}

template <class Label>
coalesced_group labeled_partition(const loom_lanes &g, Label label, LOOM_HERE)
{
    typedef typename std::conditional<sizeof(Label) == 8, unsigned long long,
                                      unsigned int>::type word;
    unsigned int mine = __match_any_sync(g.mask, (word)label, file, line);
    bool leads = (mine & -mine) == 1u << loom_laneid();
    unsigned int leaders = __ballot_sync(g.mask, leads, file, line);

    return loom_some(mine, __popc(leaders & ((mine & -mine) - 1)),
                     __popc(leaders));
}

/* define the group that may be any */
struct thread_group {
    enum { BLOCK, LANES } kind;
    loom_lanes lanes;

    thread_group(const thread_block &) : kind(BLOCK), lanes(loom_some(~0u))
    {
    }
    thread_group(const loom_lanes &g) : kind(LANES), lanes(g)
    {
    }
    thread_group(const grid_group &) __attribute__((
        unavailable("in CUDA a thread_group of the grid waits for nobody")));
    void sync(LOOM_HERE) const
    {
        if (kind == LANES)
            lanes.sync(file, line);
        else
            loom_syncthreads(file, line);
    }
    LOOM_MEMBER(unsigned long long, num_threads() const,
                kind == LANES ? lanes.num_threads()
                              : thread_block::num_threads())
    LOOM_MEMBER(unsigned long long, size() const, num_threads())
    LOOM_MEMBER(unsigned long long, thread_rank() const,
                kind == LANES ? lanes.thread_rank()
                              : thread_block::thread_rank())
};

static inline coalesced_group tiled_partition(const thread_group &g,
                                              unsigned int n, LOOM_HERE)
{
    loom_lanes all = loom_some(~0u);
    unsigned int mine, rank = 0, part = 0;

    if (g.kind == thread_group::LANES)
        all = g.lanes;
    if (n == 0 || n > 32 || (n & (n - 1)))
        loom_fail({file, line}, cudaErrorInvalidValue,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads, not %u", n);
    mine = all.thread_rank();
    for (unsigned int m = all.mask; m; m &= m - 1, rank++)
        if (rank / n == mine / n)
            part |= m & -m;
    return loom_some(part, (unsigned)g.thread_rank() / n,
                     ((unsigned)g.num_threads() + n - 1) / n);
}
#define LOOM_OF_GROUP(name, of) \
    template <class Group>      \
    LOOM_MEMBER(auto, name(const Group &g), g.of())
LOOM_OF_GROUP(thread_rank, thread_rank)
LOOM_OF_GROUP(group_size, size)
#undef LOOM_OF_GROUP

template <class Group, class Do, class... Args>
void invoke_one(const Group &g, Do &&what, Args &&...args)
{
    if (g.thread_rank() == 0)
        what(std::forward<Args>(args)...);
}

template <class Group, class Do, class... Args>
auto invoke_one_broadcast(const Group &g, Do &&what, Args &&...args)
{
    decltype(what(std::forward<Args>(args)...)) value = {};

    if (g.thread_rank() == 0)
        value = what(std::forward<Args>(args)...);
    return g.shfl(value, 0);
}

template <class Group>
void sync(const Group &g, LOOM_HERE)
{
    g.sync(file, line);
}
} // namespace cooperative_groups
#endif

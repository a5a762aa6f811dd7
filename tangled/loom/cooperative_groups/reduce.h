/* reduce.h: a value from all threads of a group. */
#ifndef LOOM_COOPERATIVE_GROUPS_REDUCE_H
#define LOOM_COOPERATIVE_GROUPS_REDUCE_H

#include "loom/cooperative_groups.h"

namespace cooperative_groups
{

/* define the operations of a reduction */
#define LOOM_REDUCTION(name, value)                \
    template <class T>                             \
    struct name {                                  \
        T operator()(const T &a, const T &b) const \
        {                                          \
            return value;                          \
        }                                          \
    };
LOOM_REDUCTION(plus, a + b)
LOOM_REDUCTION(less, b < a ? b : a)
LOOM_REDUCTION(greater, b > a ? b : a)
LOOM_REDUCTION(bit_and, a &b)
LOOM_REDUCTION(bit_or, a | b)
LOOM_REDUCTION(bit_xor, a ^ b)

template <unsigned int N, class Parent, class T, class Op>
T reduce(const thread_block_tile<N, Parent> &g, T value, Op op, LOOM_HERE)
{
    for (int by = N / 2; by > 0; by /= 2)
        value = op(value, g.shfl_xor(value, by, file, line));
    return value;
}
template <class T, class Op>
T reduce(const coalesced_group &g, T value, Op op, LOOM_HERE)
{
    T all = g.shfl(value, 0, file, line);

    for (int rank = 1; rank < (int)g.num_threads(); rank++)
        all = op(all, g.shfl(value, rank, file, line));
    return all;
}
} // namespace cooperative_groups
#endif

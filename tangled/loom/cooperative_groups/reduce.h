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

/* reduce a group */
template <unsigned int N, class T, class Op>
typename std::enable_if<(N <= 32), T>::type
loom_reduce(const loom_tile<N> &g, T value, Op op, const char *file, int line)
{
    for (int by = N / 2; by > 0; by /= 2)
        value = op(value, g.shfl_xor(value, by, file, line));
    return value;
}

template <class Group, class T, class Op>
T loom_fold(const Group &g, T value, Op op, const char *file, int line)
{
    T all = g.shfl(value, 0, file, line);

    for (int rank = 1; rank < (int)g.num_threads(); rank++)
        all = op(all, g.shfl(value, rank, file, line));
    return all;
}

template <unsigned int N, class T, class Op>
typename std::enable_if<(N > 32), T>::type
loom_reduce(const loom_tile<N> &g, T value, Op op, const char *file, int line)
{
    return loom_fold(g, value, op, file, line);
}

template <unsigned int N, class Parent, class T, class Op>
auto reduce(const thread_block_tile<N, Parent> &g, T &&value, Op &&op,
            LOOM_HERE)
{
    return loom_reduce<N, typename std::decay<T>::type>(g, value, op, file,
                                                        line);
}

template <class T, class Op>
auto reduce(const coalesced_group &g, T &&value, Op &&op, LOOM_HERE)
{
    return loom_fold<coalesced_group, typename std::decay<T>::type>(
        g, value, op, file, line);
}
template <class Group, class Atomic, class T, class Op>
void reduce_store_async(const Group &g, Atomic &to, T &&value, Op &&op)
{
    auto all = reduce(g, value, op);

    if (g.thread_rank() == 0)
        to.store(all);
}

template <class Atomic, class T>
void loom_update_atomic(Atomic &to, T v, plus<T>)
{
    to.fetch_add(v);
}
template <class Atomic, class T>
void loom_update_atomic(Atomic &to, T v, less<T>)
{
    to.fetch_min(v);
}
template <class Atomic, class T>
void loom_update_atomic(Atomic &to, T v, greater<T>)
{
    to.fetch_max(v);
}
template <class Atomic, class T>
void loom_update_atomic(Atomic &to, T v, bit_and<T>)
{
    to.fetch_and(v);
}
template <class Atomic, class T>
void loom_update_atomic(Atomic &to, T v, bit_or<T>)
{
    to.fetch_or(v);
}
template <class Atomic, class T>
void loom_update_atomic(Atomic &to, T v, bit_xor<T>)
{
    to.fetch_xor(v);
}

template <class Group, class Atomic, class T, class Op>
void reduce_update_async(const Group &g, Atomic &to, T &&value, Op &&op)
{
    auto all = reduce(g, value, op);

    if (g.thread_rank() == 0)
        loom_update_atomic(to, all, op);
}
} // namespace cooperative_groups
#endif

/* scan.h: what the threads before this one have, in all. */
#ifndef LOOM_COOPERATIVE_GROUPS_SCAN_H
#define LOOM_COOPERATIVE_GROUPS_SCAN_H

#include "loom/cooperative_groups/reduce.h"

namespace cooperative_groups
{

/* scan a group */
template <class Group, class T, class Op>
auto inclusive_scan(const Group &g, T &&value, Op &&op, LOOM_HERE)
{
    typedef typename std::decay<T>::type V;
    V sum = value;

    for (int rank = 0; rank + 1 < (int)g.num_threads(); rank++) {
        V other = g.shfl(sum, rank, file, line);

        if ((int)g.thread_rank() == rank + 1)
            sum = op(other, sum);
    }
    return sum;
}

template <class Group, class T>
auto inclusive_scan(const Group &g, T &&value, LOOM_HERE)
{
    return inclusive_scan(g, value, plus<typename std::decay<T>::type>(), file,
                          line);
}

/* The first thread gets T(): for sums that is right, for others CUDA leaves it
   undefined. */
template <class Group, class T, class Op>
auto exclusive_scan(const Group &g, T &&value, Op &&op, LOOM_HERE)
{
    typedef typename std::decay<T>::type V;
    V sum = inclusive_scan(g, value, op, file, line), before = V();

    for (int rank = 0; rank + 1 < (int)g.num_threads(); rank++) {
        V other = g.shfl(sum, rank, file, line);

        if ((int)g.thread_rank() == rank + 1)
            before = other;
    }
    return before;
}

template <class Group, class T>
auto exclusive_scan(const Group &g, T &&value, LOOM_HERE)
{
    return exclusive_scan(g, value, plus<typename std::decay<T>::type>(), file,
                          line);
}
template <class Group, class Atomic, class T, class Op>
auto exclusive_scan_update(const Group &g, Atomic &to, T &&value, Op &&op)
{
    typedef typename std::decay<T>::type V;
    V before = exclusive_scan(g, value, op), old = V();

    if (g.thread_rank() == g.num_threads() - 1)
        old = to.fetch_add(op(before, value));
    old = g.shfl(old, (int)g.num_threads() - 1);
    return op(old, before);
}

template <class Group, class Atomic, class T>
auto exclusive_scan_update(const Group &g, Atomic &to, T &&value)
{
    return exclusive_scan_update(g, to, value,
                                 plus<typename std::decay<T>::type>());
}

template <class Group, class Atomic, class T, class Op>
auto inclusive_scan_update(const Group &g, Atomic &to, T &&value, Op &&op)
{
    return op(exclusive_scan_update(g, to, value, op), value);
}

template <class Group, class Atomic, class T>
auto inclusive_scan_update(const Group &g, Atomic &to, T &&value)
{
    return inclusive_scan_update(g, to, value,
                                 plus<typename std::decay<T>::type>());
}
} // namespace cooperative_groups
#endif

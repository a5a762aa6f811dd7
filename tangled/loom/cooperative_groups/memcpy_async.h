/* memcpy_async.h: copies that a group makes together, and waits for. */
#ifndef LOOM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define LOOM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "loom/cooperative_groups.h"
#include "loom/cuda_pipeline.h"

namespace cooperative_groups
{

/* copy with a group */
template <class Group>
void loom_copy_with(const Group &g, char *to, const char *from, size_t bytes)
{
    bool words = (((size_t)to | (size_t)from | bytes) & 3) == 0;

    for (size_t i = g.thread_rank(); words && i < bytes / 4;
         i += g.num_threads())
        __pipeline_memcpy_async(to + 4 * i, from + 4 * i, 4);
    for (size_t i = g.thread_rank(); !words && i < bytes; i += g.num_threads())
        to[i] = from[i];
    __pipeline_commit();
}

template <class Group, class T>
void memcpy_async(const Group &g, T *to, const T *from, size_t bytes)
{
    loom_copy_with(g, (char *)to, (const char *)from, bytes);
}

/* Layouts count elements; the shorter one decides. */
template <class Group, class T>
void memcpy_async(const Group &g, T *to, size_t room, const T *from, size_t n)
{
    loom_copy_with(g, (char *)to, (const char *)from,
                   (n < room ? n : room) * sizeof(T));
}

template <class Group>
void wait(const Group &g, LOOM_HERE)
{
    __pipeline_wait_prior(0);
    g.sync(file, line);
}

template <unsigned int Stages, class Group>
void wait_prior(const Group &g, LOOM_HERE)
{
    __pipeline_wait_prior(Stages);
    g.sync(file, line);
}
} // namespace cooperative_groups
#endif

/* arena.cuh: scratch memory of one stream, from one allocation. */
#ifndef ASYNC_ARENA_CUH
#define ASYNC_ARENA_CUH

#include <string.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

/* hand out parts of one piece */
/* One piece of device memory, handed out from the front. */
struct arena {
    char *base;
    size_t size, used, most;
};

enum { ARENA_ALIGN = 256 }; /* as cudaMalloc aligns */

/* `bytes` of the arena, aligned; good until arena_back to an earlier mark. */
static inline void *arena_take(struct arena *a, size_t bytes)
{
    size_t room = (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    char *p = a->base + a->used;

    CHECK(room >= bytes && room <= a->size - a->used,
          "%zu bytes do not fit: %zu of %zu are used", bytes, a->used, a->size);
    a->used += room;
    if (a->used > a->most)
        a->most = a->used;
    return p;
}

/* go back to a mark */
static inline size_t arena_mark(const struct arena *a)
{
    return a->used;
}

/* What was taken since the mark is free; in the order of one stream. */
static inline void arena_back(struct arena *a, size_t mark)
{
    CHECK(mark <= a->used, "mark %zu lies ahead: %zu bytes are used", mark,
          a->used);
    a->used = mark;
}

/* open and close an arena */
static inline struct arena arena_open(size_t size)
{
    struct arena a = {NULL, size, 0, 0};

    CUDA_CHECK(cudaMalloc((void **)&a.base, size));
    return a;
}

static inline void arena_close(struct arena *a)
{
    CUDA_CHECK(cudaFree(a->base));
    memset(a, 0, sizeof *a);
}

/* An arena inside another, for another stream; it is not to be closed. */
static inline struct arena arena_part(struct arena *a, size_t size)
{
    struct arena part = {(char *)arena_take(a, size), size, 0, 0};

    return part;
}

#endif

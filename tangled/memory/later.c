#include "memory/later.h"
#include "tour/check.h"

enum { THREADS = 1024, MOST = 32 };

static _Thread_local struct promises {
    uint64_t block;
    unsigned first, count, group; /* group: closed so far */
    struct later_copy c[MOST];
} promises[THREADS];

static struct promises *promises_of(unsigned thread, uint64_t block)
{
    struct promises *p = &promises[thread];

    if (p->block != block)
        p->count = p->group = 0;
    p->block = block;
    return p;
}

/* promise a copy */
void later_copy(unsigned thread, uint64_t block, void *to, const void *from,
                int size)
{
    struct promises *p = promises_of(thread, block);
    struct later_copy c = {to, from, size, p->group};

    CHECK(p->count < MOST, "thread %u waits for more than %d copies", thread,
          MOST);
    CHECK((uintptr_t)to % (unsigned)size == 0 &&
              (uintptr_t)from % (unsigned)size == 0,
          "an address of cp.async is no multiple of %d", size);
    p->c[(p->first + p->count++) % MOST] = c;
}

void later_commit(unsigned thread, uint64_t block)
{
    promises_of(thread, block)->group++;
}

/* find the oldest copy to be made */
int later_next(unsigned thread, uint64_t block, unsigned keep,
               struct later_copy *c)
{
    struct promises *p = promises_of(thread, block);

    if (p->count == 0)
        return 0;
    *c = p->c[p->first];
    if (c->group + keep >= p->group)
        return 0;
    p->first = (p->first + 1) % MOST;
    p->count--;
    return 1;
}

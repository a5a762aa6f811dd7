/* later.h: asynchronous copies on the machine: promised now, made later. */
#ifndef MEMORY_LATER_H
#define MEMORY_LATER_H

#include <stdint.h>

struct later_copy {
    void *to;
    const void *from; /* NULL: zeros */
    int size;
    unsigned group;
};

#ifdef __cplusplus
extern "C" {
#endif

/* What another block of this thread left behind is forgotten. */
void later_copy(unsigned thread, uint64_t block, void *to, const void *from,
                int size);
void later_commit(unsigned thread, uint64_t block);
/* The oldest copy of all groups but the last `keep`, or 0: there is none. */
int later_next(unsigned thread, uint64_t block, unsigned keep,
               struct later_copy *c);

#ifdef __cplusplus
}
#endif

#endif

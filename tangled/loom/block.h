/* block.h: barriers of a block and of a grid. C11 and C++17. */
#ifndef LOOM_BLOCK_H
#define LOOM_BLOCK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum loom_barrier { LOOM_BLOCK, LOOM_GRID };

/* Waits until all threads of the block (of the grid) that have not returned
   have called it at this place. Returns how many passed a vote that is not
   0. */
int loom_barrier_at(int kind, int vote, const char *file, int line, int column);
int loom_barrier(int kind, int vote, const char *file, int line);

/* The same for the block and without a vote, faster. */
void loom_syncthreads_at(const char *file, int line, int column);
void loom_syncthreads(const char *file, int line);

/* declare what kernels ask and tell */
/* Tell the hooks what comes next. */
void loom_atomic(const void *p, size_t size, const char *file, int line);
void loom_fence(const char *file, int line);

/* Copies size bytes, the last of them zeros, when this thread waits for it;
   ends a group of copies; waits for all groups but the last few. */
void loom_copy_later(void *to, const void *from, size_t size, size_t zeros,
                     const char *file, int line);
void loom_commit_copies(void);
void loom_wait_for_copies(size_t groups);

/* Whether this kernel may wait for the grid. */
int loom_is_cooperative(void);

/* Which OS thread runs this block, from 0 on; nanoseconds since some time. */
unsigned loom_number(void);
unsigned long long loom_nanoseconds(void);

#ifdef __cplusplus
}
#endif
#endif

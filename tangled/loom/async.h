/* async.h: mbarriers, and bulk copies that arrive there. C11 and C++17. */
#ifndef LOOM_ASYNC_H
#define LOOM_ASYNC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An mbarrier is 8 bytes of shared memory, of this block or another of its
   cluster. */
void loom_mbarrier_init(void *bar, unsigned count, const char *file, int line);
void loom_mbarrier_inval(void *bar, const char *file, int line);

/* Expects bytes; then `count` arrive, for the last time if drop. Returns the
   parity of the phase. */
uint64_t loom_mbarrier_arrive(void *bar, unsigned count, unsigned bytes,
                              int drop, const char *file, int line);

/* Bytes to come, or, if negative, that have come without Loom. */
void loom_mbarrier_expect(void *bar, int bytes, const char *file, int line);

/* Whether the phase of this parity has completed; waits until it has. */
int loom_mbarrier_try(void *bar, unsigned parity, const char *file, int line);
void loom_mbarrier_wait(void *bar, unsigned parity, const char *file, int line);

/* This thread arrives when its copies (cp.async) so far have; noinc: it is one of
   those that the barrier counts. */
void loom_copies_arrive(void *bar, int noinc, const char *file, int line);

/* Copies to shared memory, to each block of a cluster whose bit is set in blocks,
   or, if 0, just so. A map describes what a tensor map does. */
void loom_bulk_load(void *to, const void *from, size_t bytes, void *bar,
                    unsigned blocks, const char *file, int line);
void loom_tensor_load(void *to, const void *map, int dims, const int *at,
                      void *bar, unsigned blocks, const char *file, int line);

/* Copies, or adds, from shared to global memory. */
void loom_bulk_store(void *to, const void *from, size_t bytes, int add,
                     const char *file, int line);
void loom_tensor_store(const void *map, int dims, const int *at,
                       const void *from, int add, const char *file, int line);
void loom_bulk_commit(void);
void loom_bulk_wait(size_t groups);
void loom_fence_async(void);

#ifdef __cplusplus
}
#endif
#endif

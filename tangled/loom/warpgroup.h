/* warpgroup.h: what four warps do together, and barriers of some warps. C11 and
   C++17. */
#ifndef LOOM_WARPGROUP_H
#define LOOM_WARPGROUP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Waits until so many threads of the block have come to barrier id, 0 to 15. */
void loom_barrier_part(unsigned id, unsigned threads, const char *file,
                       int line);

/* Comes there, too, and does not wait. */
void loom_barrier_arrive(unsigned id, unsigned threads, const char *file,
                         int line);

/* Multiplications as ptx.h describes them; a and b are descriptors. */
void loom_wgmma(float *d, int n, uint64_t a, uint64_t b, int add, int turned_a,
                int turned_b, const char *file, int line);
void loom_wgmma_fence(const char *file, int line);
void loom_wgmma_commit(const char *file, int line);
void loom_wgmma_wait(unsigned keep, const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif

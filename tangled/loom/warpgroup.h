/* warpgroup.h: what four warps do together, and barriers of some warps. C11 and
   C++17. */
#ifndef LOOM_WARPGROUP_H
#define LOOM_WARPGROUP_H

#include <stdint.h>

#ifdef __cplusplus
#undef __CUDA_ARCH_FEAT_SM90_ALL /* ptx.h needs its GPU's words no more */
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

/* The same with all that a stranger's may say: numbers of 16 bits of this kind
   (of matrix.h), signs, A in four registers of each thread (held), and the n / 2
   registers of the sums anywhere. */
struct loom_wgmma {
    uint64_t a, b;
    int n, element, add, turned_a, turned_b, minus_a, minus_b, held;
};
void loom_wgmma_of(float *const *d, const struct loom_wgmma *what,
                   const unsigned *a, const char *file, int line);
void loom_wgmma_fence(const char *file, int line);
void loom_wgmma_commit(const char *file, int line);
void loom_wgmma_wait(unsigned keep, const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif

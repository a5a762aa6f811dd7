/* cluster.h: blocks that share their shared memory. C11 and C++17. */
#ifndef LOOM_CLUSTER_H
#define LOOM_CLUSTER_H

#include <stddef.h>

#include "loom/vector_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* This block's number in its cluster, how many there are, and in which shape;
   without clusters each block is one. */
unsigned loom_cluster_rank(void);
unsigned loom_cluster_size(void);
uint3 loom_cluster_shape(void);

/* This thread arrives at the cluster's barrier; waits until all have. */
void loom_cluster_arrive(const char *file, int line);
void loom_cluster_wait(const char *file, int line);

/* The address of the same variable in another block's shared memory, and
   whose shared memory an address is in. */
void *loom_map(const void *p, unsigned rank, const char *file, int line);
unsigned loom_rank_of(const void *p);

/* The 32 bits by which PTX knows an address in shared memory, and back. */
size_t loom_to_shared(const void *p);
unsigned loom_whole_address(unsigned low);
void *loom_from_shared(unsigned address);

/* What __cluster_dims__ says of a kernel. */
void loom_cluster_dims(const char *kernel, unsigned x, unsigned y, unsigned z);
uint3 loom_shape_of(const char *kernel); /* 0: it says nothing */

#ifdef __cplusplus
}
#endif
#endif

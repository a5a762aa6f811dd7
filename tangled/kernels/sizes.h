/* sizes.h: how many blocks, and is the launch possible? C11 and C++17. */
#ifndef KERNELS_SIZES_H
#define KERNELS_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "tour/check.h"

/* divide and round up */
/* n / d rounded up; d > 0. No overflow, whatever n is. */
static inline size_t ceil_div(size_t n, size_t d)
{
    return n / d + (n % d != 0);
}

/* say why a launch would be refused */
/* Why CUDA refuses a launch of this grid and block (x, y, z), or NULL when it
   does not. Resources such as registers are a separate matter. Limits: CUDA
   C++ Programming Guide, compute capabilities 3.0 to 12.x. */
static inline const char *launch_refusal(const uint64_t grid[3],
                                         const uint64_t block[3])
{
    static const uint64_t grid_most[3] = {2147483647, 65535, 65535};
    static const uint64_t block_most[3] = {1024, 1024, 64};

    for (int d = 0; d < 3; d++) {
        if (grid[d] == 0 || block[d] == 0)
            return "a dimension is 0";
        if (grid[d] > grid_most[d])
            return "too many blocks in a dimension of the grid";
        if (block[d] > block_most[d])
            return "too many threads in a dimension of the block";
    }
    if (block[0] * block[1] * block[2] > 1024)
        return "more than 1024 threads in a block";
    return NULL;
}

/* count the blocks for one thread an element */
/* Blocks of `block` threads that cover n elements, one thread each. Returns 0
   for n = 0: then do not launch. Stops the program if no grid can do it. */
static inline int blocks_for(size_t n, int block)
{
    size_t blocks;

    CHECK(block >= 1 && block <= 1024, "a block has 1 to 1024 threads, not %d",
          block);
    blocks = ceil_div(n, (size_t)block);
    CHECK(blocks <= 2147483647,
          "%zu elements need %zu blocks of %d threads; a grid has at most "
          "2147483647: let each thread do several",
          n, blocks, block);
    return (int)blocks;
}

#endif

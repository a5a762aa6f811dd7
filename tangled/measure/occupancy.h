/* occupancy.h: how many blocks of a kernel fit into an SM, and why not more. */
#ifndef MEASURE_OCCUPANCY_H
#define MEASURE_OCCUPANCY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* describe an SM */
/* What an SM holds. Sizes in bytes; registers of 32 bits. */
struct occupancy_sm {
    int warps, blocks, registers; /* of the whole SM */
    int partitions;               /* each has its share of the registers */
    int register_unit;            /* a warp is given registers in such units */
    size_t shared, shared_block;  /* of the SM, and the most of one block */
    size_t shared_unit, reserved; /* rounded up to; the system's own, a block */
};

/* The SM of a compute capability; returns 0 and leaves *sm if unknown. */
int occupancy_sm(int major, int minor, struct occupancy_sm *sm);

/* describe a kernel's needs */
struct occupancy_kernel {
    int threads;   /* in a block, 1 to 1024 */
    int registers; /* of a thread */
    size_t shared; /* of a block, static and dynamic, in bytes */
};

/* describe what fits */
/* Blocks that fit by each limit alone, and all together; 0: none can start. */
struct occupancy {
    int by_blocks, by_registers, by_shared, by_warps;
    int blocks, warps; /* resident on an SM */
    double percent;    /* of the warps that it could hold */
};

struct occupancy occupancy_of(const struct occupancy_sm *sm,
                              const struct occupancy_kernel *kernel);

/* How many times the card is filled: grid blocks on sms SMs, `each` on one. */
double occupancy_waves(long long grid, int sms, int each);

#ifdef __cplusplus
}
#endif
#endif

/* warp.h: operations of the lanes of a warp. C11 and C++17. */
#ifndef MACHINE_WARP_H
#define MACHINE_WARP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* declare the operations of a warp */
enum simt_op {
    SIMT_SYNC,
    SIMT_SHUFFLE,
    SIMT_BALLOT,
    SIMT_MATCH,
    SIMT_ADD,
    SIMT_MIN,
    SIMT_MIN_UNSIGNED,
    SIMT_MAX,
    SIMT_MAX_UNSIGNED,
    SIMT_AND,
    SIMT_OR,
    SIMT_XOR
};

/* Waits until all lanes of mask that have not returned have called it with the
   same mask and op. value is what this lane brings; source is the lane whose
   value a shuffle wants. Returns the shuffled value; the lanes of mask whose value is
   not 0 (ballot) or equal to this lane's (match); or what the 32-bit values
   add up to. */
uint64_t simt_meet(int op, uint32_t mask, uint64_t value, unsigned source,
                   const char *file, int line);

/* The lanes of this warp that have come to this place and wait for nobody. */
uint32_t simt_active(const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif

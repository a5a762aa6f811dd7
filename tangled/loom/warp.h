/* warp.h: operations of the lanes of a warp. C11 and C++17. */
#ifndef LOOM_WARP_H
#define LOOM_WARP_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* declare the operations of a warp */
enum loom_op {
    LOOM_SYNC,
    LOOM_SHUFFLE,
    LOOM_BALLOT,
    LOOM_MATCH,
    LOOM_TOGETHER, /* the value is a struct loom_meeting */
    LOOM_ADD,
    LOOM_MIN,
    LOOM_MIN_UNSIGNED,
    LOOM_MAX,
    LOOM_MAX_UNSIGNED,
    LOOM_AND,
    LOOM_OR,
    LOOM_XOR
};

/* Waits until all lanes of mask that have not returned have called it with the
   same mask and op. value is what this lane brings; source is the lane whose
   value a shuffle wants. Returns the shuffled value; the lanes of mask whose value is
   not 0 (ballot) or equal to this lane's (match); or what the 32-bit values
   add up to. */
uint64_t loom_meet(int op, uint32_t mask, uint64_t value, unsigned source,
                   const char *file, int line);

/* The lanes of this warp that have come to this place and wait for nobody. */
uint32_t loom_active(const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif

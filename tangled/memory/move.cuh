/* move.cuh: kernels that move numbers from one array to another, and a test. */
#ifndef MEMORY_MOVE_CUH
#define MEMORY_MOVE_CUH

#include "kernels/launch.h"
#include "memory/reference.h"
#include "tour/rng.h"

/* describe a move */
enum move_kind { COPIED, TURNED, BOXED }; /* what y must be */

/* x and y: rows times cols floats on the device, at multiples of 16 bytes. */
struct move {
    const char *name;
    void (*launch)(int rows, int cols, const float *x, float *y);
    enum move_kind kind;
};
#endif

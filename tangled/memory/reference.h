/* reference.h: what the kernels of this chapter compute, in plain C. */
#ifndef MEMORY_REFERENCE_H
#define MEMORY_REFERENCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
#endif
    /* y from x, which has rows times cols floats, row-major. kind 0: a copy;
       1: the transpose; 2: the sums of x[i - 4] to x[i + 4], 0 beyond the
       ends. The numbers are those of enum move_kind in move.cuh. */
    void
    move_reference(int kind, size_t rows, size_t cols, const float *x,
                   float *y);

#endif

/* reference.h: what the kernels of this chapter compute, in plain C. */
#ifndef MEMORY_REFERENCE_H
#define MEMORY_REFERENCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* y = the transpose of x; x has rows times cols floats, row-major. */
void transpose_reference(size_t rows, size_t cols, const float *x, float *y);
/* y[i] = the sum of x[i - radius] to x[i + radius], 0 beyond the ends. */
void box_reference(size_t n, int radius, const float *x, float *y);
/* One of these, by enum move_kind of move.cuh. */
void move_reference(int kind, size_t rows, size_t cols, const float *x,
                    float *y);

#ifdef __cplusplus
}
#endif

#endif

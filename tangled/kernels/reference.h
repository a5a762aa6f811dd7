/* reference.h: what the kernels of this chapter compute, in plain C. */
#ifndef KERNELS_REFERENCE_H
#define KERNELS_REFERENCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* declare the references */
/* z[i] = x[i] + y[i] for i < n; z overlaps neither input. */
void add_reference(size_t n, const float *x, const float *y, float *z);
/* out[r][c] = in[r][c]^2 for a rows x cols matrix with rows ld apart. */
void square_reference(size_t rows, size_t cols, size_t ld, const float *in,
                      float *out);
/* out[b][j] = in[b][j] + bias[j]: batch rows of length elements. */
void bias_reference(size_t batch, size_t length, const float *in,
                    const float *bias, float *out);
#ifdef __cplusplus
}
#endif

#endif

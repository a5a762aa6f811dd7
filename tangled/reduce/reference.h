/* reference.h: what the kernels of this chapter compute, in double. */
#ifndef REDUCE_REFERENCE_H
#define REDUCE_REFERENCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* declare the references */
/* The sum of x[0..n), exact to about 2^-53 of it, and of absolute values. */
double sum_exact(size_t n, const float *x);
double sum_abs(size_t n, const float *x);
/* y[i] = the sum of x[0..i], or of x[0..i) when exclusive. */
void scan_reference(size_t n, int exclusive, const float *x, double *y);
/* y = softmax of x[0..n). */
void softmax_reference(size_t n, const float *x, double *y);
/* Mean, and mean squared distance from it (0 and 0 for n = 0). */
void moments_reference(size_t n, const float *x, double *mean, double *var);
#ifdef __cplusplus
}
#endif

#endif

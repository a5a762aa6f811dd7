/* reference.h: convolution and its two gradients on the CPU. C11 and C++17. */
#ifndef CONV_REFERENCE_H
#define CONV_REFERENCE_H

#include "conv/size.h"
#include "matmul/real.h"

#ifdef REAL_DOUBLE /* the same functions for double have names of their own */
#define conv_forward conv_forward_d
#define conv_input_gradient conv_input_gradient_d
#define conv_filter_gradient conv_filter_gradient_d
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* declare the convolution and its gradients */
/* y = x with the filters w (cross-correlation); all of y is written. */
void conv_forward(const struct conv *v, const real *x, const real *w, real *y);

/* dx and dw: the gradients of a loss by x and by w, from dy, that by y. All of
   dx and all of dw is written. */
void conv_input_gradient(const struct conv *v, const real *dy, const real *w,
                         real *dx);
void conv_filter_gradient(const struct conv *v, const real *x, const real *dy,
                          real *dw);
#ifdef __cplusplus
}
#endif

#endif

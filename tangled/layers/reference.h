/* reference.h: the layers of a network, forward and backward, in plain C.
   C11 and C++17. Activations are [n][c][h][w], row-major; a plane is one image
   and channel. An output overlaps no input, but where it is said. `real` is
   float, or double after #define REAL_DOUBLE: see matmul/real.h. */
#ifndef LAYERS_REFERENCE_H
#define LAYERS_REFERENCE_H

#include <stddef.h>

#include "matmul/real.h"

/* give the functions in double names of their own */
#ifdef REAL_DOUBLE
#define linear_forward linear_forward_d
#define linear_backward linear_backward_d
#define relu_forward relu_forward_d
#define relu_backward relu_backward_d
#define batchnorm_moments batchnorm_moments_d
#define batchnorm_apply batchnorm_apply_d
#define batchnorm_backward batchnorm_backward_d
#define maxpool_forward maxpool_forward_d
#define maxpool_backward maxpool_backward_d
#define log_softmax_forward log_softmax_forward_d
#define log_softmax_backward log_softmax_backward_d
#define xent_forward xent_forward_d
#define xent_backward xent_backward_d
#define sgd_step sgd_step_d
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* declare the layers */
/* y = x w^T + bias: x [batch][in], w [out][in], bias [out], y [batch][out]. */
void linear_forward(int batch, int in, int out, const real *x, const real *w,
                    const real *bias, real *y);
/* From dy [batch][out]: dx (unless NULL), dw and dbias, shaped as x, w, bias. */
void linear_backward(int batch, int in, int out, const real *x, const real *w,
                     const real *dy, real *dx, real *dw, real *dbias);
/* y = max(x, 0), NaN for NaN; y may be x. dx = dy where y > 0, else 0. */
void relu_forward(size_t n, const real *x, real *y);
void relu_backward(size_t n, const real *y, const real *dy, real *dx);
/* w -= rate * dw, n numbers. */
void sgd_step(size_t n, real rate, const real *dw, real *w);
/* mean[k], var[k] of channel k over n images of c planes of hw numbers; var is
   the mean squared distance (biased). n * hw >= 1. */
void batchnorm_moments(int n, int c, int hw, const real *x, real *mean,
                       real *var);
/* y = (x - mean) / sqrt(var + eps) * scale + shift, by channel; y may be x. In
   training mean and var are x's own, in inference they are given. */
void batchnorm_apply(int n, int c, int hw, real eps, const real *x,
                     const real *mean, const real *var, const real *scale,
                     const real *shift, real *y);
/* The gradients in training: mean and var are functions of x too. */
void batchnorm_backward(int n, int c, int hw, real eps, const real *x,
                        const real *mean, const real *var, const real *scale,
                        const real *dy, real *dx, real *dscale, real *dshift);
/* y [planes][h / 2][w / 2]: the largest of each 2 x 2 of x [planes][h][w]; the
   first of equals, a NaN if there is one. which: 0 to 3, its place in reading
   order. A last odd row or column takes no part. */
void maxpool_forward(int planes, int h, int w, const real *x, real *y,
                     unsigned char *which);
void maxpool_backward(int planes, int h, int w, const real *dy,
                      const unsigned char *which, real *dx);
/* Each row of x [rows][cols]: y = x - log(sum of exp(x)), without overflow. */
void log_softmax_forward(int rows, int cols, const real *x, real *y);
void log_softmax_backward(int rows, int cols, const real *y, const real *dy,
                          real *dx);
/* The mean over the batch of -log softmax(x)[label], batch >= 1; logp keeps the
   log-probabilities. Stops the program if a label is no class. */
double xent_forward(int batch, int classes, const real *x, const int *label,
                    real *logp);
/* dx, the gradient of that mean for the logits x. */
void xent_backward(int batch, int classes, const real *logp, const int *label,
                   real *dx);
#ifdef __cplusplus
}
#endif

#endif

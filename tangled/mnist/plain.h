/* plain.h: the network as chapters 16 and 21 define it; with REAL_DOUBLE in
   double, and then all names end in _d. C11 and C++17. */
#ifndef MNIST_PLAIN_H
#define MNIST_PLAIN_H

#include "matmul/real.h"
#include "mnist/model.h"

#ifdef REAL_DOUBLE
#define plain plain_d
#define plain_open plain_open_d
#define plain_close plain_close_d
#define plain_loss plain_loss_d
#define plain_gradient plain_gradient_d
#endif

/* begin declarations that C and C++ share */
#ifdef __cplusplus
extern "C" {
#endif

/* declare the plain network */
struct plain;

/* For batches of n pictures; plain_close() it. */
struct plain *plain_open(const struct model *m, int n);
void plain_close(struct plain *p);

/* The mean cross-entropy of the pictures x[n][784] in training, with the
   weights w[m->total]; then its gradient for the first m->count of them. */
double plain_loss(struct plain *p, const real *w, const real *x,
                  const int *label);
void plain_gradient(struct plain *p, const real *w, real *grad);

/* end declarations that C and C++ share */
#ifdef __cplusplus
}
#endif

#endif

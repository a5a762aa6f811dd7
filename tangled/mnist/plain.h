/* plain.h: the network as chapters 16 and 21 define it; with REAL_DOUBLE in
   double, and then its name is plain_step_d. C11 and C++17. */
#ifndef MNIST_PLAIN_H
#define MNIST_PLAIN_H

#include "matmul/real.h"
#include "mnist/model.h"

#ifdef REAL_DOUBLE
#define plain_step plain_step_d
#endif

/* begin declarations that C and C++ share */
#ifdef __cplusplus
extern "C" {
#endif

/* declare the plain network */
/* The mean cross-entropy of n pictures x[n][784] in training, with the weights
   w[m->total], and in grad its gradient for the first m->count of them. */
double plain_step(const struct model *m, const real *w, int n, const real *x,
                  const int *label, real *grad);

/* end declarations that C and C++ share */
#ifdef __cplusplus
}
#endif

#endif

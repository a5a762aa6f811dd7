/* cpu.h: the network on the CPU, in float; with REAL_DOUBLE in double, and
   then all names end in _d. C11 and C++17. */
#ifndef MNIST_CPU_H
#define MNIST_CPU_H

#include "matmul/real.h"
#include "mnist/model.h"

/* rename for double */
#ifdef REAL_DOUBLE
#define cpu cpu_d
#define cpu_open cpu_open_d
#define cpu_close cpu_close_d
#define cpu_set cpu_set_d
#define cpu_get cpu_get_d
#define cpu_forward cpu_forward_d
#define cpu_backward cpu_backward_d
#define cpu_gradient cpu_gradient_d
#define cpu_update cpu_update_d
#define cpu_loss cpu_loss_d
#define cpu_logits cpu_logits_d
#define cpu_moments cpu_moments_d
#endif

/* begin declarations that C and C++ share */
#ifdef __cplusplus
extern "C" {
#endif

/* declare the network on the CPU */
struct cpu;

/* For batches of up to `batch` pictures; threads from 1 to 8 do the work, and
   the results do not depend on how many. cpu_close() it. */
struct cpu *cpu_open(const struct model *m, int batch, int threads);
void cpu_close(struct cpu *c);

/* All numbers of the network, w[m->total], in and out. */
void cpu_set(struct cpu *c, const real *w);
void cpu_get(const struct cpu *c, real *w);

/* The n pictures x[n][784] through the network: n from 1 to `batch`. training:
   normalised by the batch's own means and variances, else by the model's. */
void cpu_forward(struct cpu *c, int n, const float *x, int training);
void cpu_logits(const struct cpu *c, real *logits); /* of these: [n][10] */
/* Means and variances (divided by the count) of the batch: c1, then c2. */
void cpu_moments(const struct cpu *c, real *mean, real *var);

/* The mean cross-entropy of what went forward last, for these labels. */
double cpu_loss(struct cpu *c, const int *label);
void cpu_backward(struct cpu *c); /* its gradient ... */
void cpu_gradient(const struct cpu *c,
                  real *grad);           /* ... of m->count numbers */
void cpu_update(struct cpu *c, real lr); /* w -= lr gradient */

/* end declarations that C and C++ share */
#ifdef __cplusplus
}
#endif

#endif

/* yardstick.h: the losses of the first steps in double, and how far correct
   programs in float are from them. C11 and C++17. */
#ifndef MNIST_YARDSTICK_H
#define MNIST_YARDSTICK_H

#include "mnist/train.h"

/* What is trained from where: weights w[m->total], digits in this order. */
struct first_steps {
    const struct model *m;
    const float *w;
    const struct digits *train;
    const int *order;
    int batch, steps;
    float lr;
};

/* declare the yardstick */
C_FUNCTIONS
/* loss[steps] of the same steps in double, with so many threads. */
void yardstick_losses(const struct first_steps *f, int threads, double *loss);

/* The same by a path; its losses in float. */
void path_losses(const struct first_steps *f, const struct path *path,
                 int threads, float *loss);

/* How far a path may be from the yardstick at each step: 8 times the farthest
   of 4 runs of `reference` whose weights were moved by a rounding. */
void yardstick_tolerance(const struct first_steps *f, int threads,
                         const double *yardstick, double *tolerance);
C_FUNCTIONS_END

#endif

/* exact.h: the gradients of a step in double, by the reference. C11 and C++17. */
#ifndef RACE_EXACT_H
#define RACE_EXACT_H

#include "mnist/digits.h"

C_FUNCTIONS
/* Gradients g[] of the mean loss of the first n digits, at weights w[] of the model
   of this width, all as in mnist/step.h. Returns the loss. */
double exact_gradients(int width, const float *w, const struct digits *d, int n,
                       double *g);
C_FUNCTIONS_END

#endif

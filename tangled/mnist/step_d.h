/* step_d.h: step.h in double. */
#ifndef REAL_DOUBLE
#define REAL_DOUBLE
#endif
#include "mnist/step.h"

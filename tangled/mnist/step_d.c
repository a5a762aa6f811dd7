#define REAL_DOUBLE
#include "mnist/step.c"

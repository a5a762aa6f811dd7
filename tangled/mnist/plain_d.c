#define REAL_DOUBLE
#include "mnist/plain.c"

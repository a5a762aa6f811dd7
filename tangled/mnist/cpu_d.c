#define REAL_DOUBLE
#include "mnist/cpu.c"

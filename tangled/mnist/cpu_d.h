/* cpu_d.h: cpu.h in double. */
#ifndef REAL_DOUBLE
#define REAL_DOUBLE
#endif
#include "mnist/cpu.h"

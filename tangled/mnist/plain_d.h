/* plain_d.h: plain.h in double. */
#ifndef REAL_DOUBLE
#define REAL_DOUBLE
#endif
#include "mnist/plain.h"

/* reference_d.h: the layers in double; instead of reference.h, not beside it. */
#ifndef REAL_DOUBLE
#define REAL_DOUBLE
#endif
#include "layers/reference.h"

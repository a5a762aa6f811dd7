/* reference_d.h: the functions of reference.h, in double. C11 and C++17. */
#ifndef CONV_REFERENCE_D_H
#define CONV_REFERENCE_D_H

#define REAL_DOUBLE
#include "conv/reference.h"

#endif

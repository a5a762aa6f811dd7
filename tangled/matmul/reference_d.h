/* reference_d.h: the products of reference.h, in double. C11 and C++17. */
#ifndef MATMUL_REFERENCE_D_H
#define MATMUL_REFERENCE_D_H

#define REAL_DOUBLE
#include "matmul/reference.h"

#endif

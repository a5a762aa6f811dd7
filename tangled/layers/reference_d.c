/* reference_d.c: reference.c once more, with double for real. */
#define REAL_DOUBLE
#include "matmul/reference_d.h"

#include "layers/reference.c"

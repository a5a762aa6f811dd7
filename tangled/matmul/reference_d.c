/* reference_d.c: matrix products on the CPU, in double. */
#define REAL_DOUBLE
#include "matmul/reference.c"

/* reference_d.c: convolution and its two gradients on the CPU, in double. */
#define REAL_DOUBLE
#include "conv/reference.c"

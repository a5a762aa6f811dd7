/* start.h: what a run begins with, for the peer. C11 and C++17. */
#ifndef MNIST_START_H
#define MNIST_START_H

#include "mnist/fault.h"
#include "mnist/model.h"

/* begin declarations that C and C++ share */
#ifdef __cplusplus
extern "C" {
#endif
/* Writes dir/weights.bin, the initial weights of a seed, m->total floats, and
   dir/order.bin, the order of `count` digits in each epoch, as int32. 0, or -1. */
int start_write(const char *dir, const struct model *m, uint64_t seed,
                int count, int epochs, struct fault *why);

/* end declarations that C and C++ share */
#ifdef __cplusplus
}
#endif

#endif

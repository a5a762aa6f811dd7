/* model.h: the network, and where in an array its numbers are. C11, C++17. */
#ifndef MNIST_MODEL_H
#define MNIST_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "mnist/safetensors.h"

/* size the model */
enum {
    MODEL_SIDE = 28,    /* of a picture */
    MODEL_PIXELS = 784, /* in it */
    MODEL_DIGITS = 10,  /* outputs */
    MODEL_LEARNED = 10, /* tensors that are trained ... */
    MODEL_TENSORS = 14, /* ... and with those that are counted */
    MODEL_WIDTH_MOST = 256
};

/* describe the model */
/* Tensor t is w[tensor[t].at] and the `count` numbers from there, row-major:
   filters [out][in][3][3], linear weights [out][in]. */
struct model_tensor {
    const char *name; /* as in PyTorch's state_dict */
    int rank, shape[4];
    size_t at, count;
};

struct model {
    int width, c1, c2, hidden; /* channels of the blocks, outputs of fc1 */
    size_t count, total;       /* numbers learned; numbers in all */
    struct model_tensor tensor[MODEL_TENSORS];
};

/* begin declarations that C and C++ share */
#ifdef __cplusplus
extern "C" {
#endif

/* declare what is done with a model */
/* The model of this width, 1 to MODEL_WIDTH_MOST; 32 is the book's. */
struct model model_make(int width);

/* Initial weights w[0..total): uniform by fan-in, tensor t from stream t of the
   seed; biases 0, scales 1; statistics: means 0, variances 1. */
void model_init(const struct model *m, float *w, uint64_t seed);

/* Describes w[0..total) as tensors for a file; returns MODEL_TENSORS. */
int model_tensors(const struct model *m, float *w, struct st_tensor *t);

/* end declarations that C and C++ share */
#ifdef __cplusplus
}
#endif

#endif

/* keep.h: checkpoints of the trainer. C11 and C++17. */
#ifndef MNIST_KEEP_H
#define MNIST_KEEP_H

#include "mnist/safetensors.h"

#include <stdint.h>

C_FUNCTIONS

/* hold what decides the next weights */
/* What decides the next weights, besides the weights. */
struct keep {
    int epoch; /* how many are finished */
    int batch, width;
    float lr;
    uint64_t seed, data; /* data: digits_mark() of the training digits */
    char path[16];       /* reference, kernels, library; fast_bf16 */
};

/* declare how checkpoints are kept */
void keep_save(const char *path, const struct keep *k,
               const struct st_tensor *t, int count);

/* The settings and the tensors; with a count below 0 the settings alone. */
void keep_load(const char *path, struct keep *k, const struct st_tensor *t,
               int count);
C_FUNCTIONS_END

#endif

/* keep.h: checkpoints of the trainer. C11 and C++17. */
#ifndef MNIST_KEEP_H
#define MNIST_KEEP_H

#include "mnist/safetensors.h"

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
int keep_save(const char *path, const struct keep *k, const struct st_tensor *t,
              int count, struct fault *why);

/* The settings and the tensors; if anything is wrong, neither is touched. */
int keep_load(const char *path, struct keep *k, const struct st_tensor *t,
              int count, struct fault *why);
/* The settings alone. */
int keep_look(const char *path, struct keep *k, struct fault *why);

C_FUNCTIONS_END

#endif

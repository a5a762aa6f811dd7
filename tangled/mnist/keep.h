/* keep.h: checkpoints of the trainer. */
#ifndef MNIST_KEEP_H
#define MNIST_KEEP_H

#include "mnist/safetensors.h"

/* hold what decides the next weights */
struct keep {
    int epoch; /* how many are finished */
    int batch, width;
    float lr;
    uint64_t seed, data; /* data: digits_mark() of the training digits */
    char path[16];       /* reference, kernels, library, fed; fast */
    char precision[8];   /* fp32; tf32 or bf16 where a path has them */
};

/* declare how checkpoints are kept */
enum { KEEP_PAIRS = 8 };

void keep_save(const char *path, const struct keep *k, const struct model *m,
               const float *w);

/* The settings and the weights; without a model (NULL) the settings alone. */
void keep_load(const char *path, struct keep *k, const struct model *m,
               float *w);

/* Each setting as a text, in the file and on the command line. */
void keep_texts(const struct keep *k, struct st_pair text[KEEP_PAIRS]);

#endif

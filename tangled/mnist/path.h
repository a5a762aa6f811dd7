/* path.h: a way to compute the network. C11 and C++17. */
#ifndef MNIST_PATH_H
#define MNIST_PATH_H

#include "mnist/digits.h"
#include "mnist/model.h"

enum { PATH_SLOTS = 64 }; /* losses that a path keeps until asked */

/* describe a path */
struct path {
    const char *name;
    int group; /* steps to take before asking for their losses, at most SLOTS */
    void *(*open)(const struct model *m, const struct digits *train,
                  const struct digits *test, int batch, int threads);
    void (*close)(void *net);
    void (*set)(void *net, const float *w); /* m->total numbers in ... */
    void (*get)(void *net, float *w);       /* ... and out */
    /* The order of the training digits; digits first.. are meant in it. */
    void (*order)(void *net, const int *order);
    void (*step)(void *net, int first, int n, float lr, int slot);
    void (*losses)(void *net, int count, float *loss); /* slots 0.. */
    /* Forward in training; moments of the last batch that went forward so,
       in a step or not: c1 means (variances), then c2. */
    void (*forward)(void *net, int first, int n);
    void (*moments)(void *net, float *mean, float *var);
    /* Outputs [n][10] in evaluation, of training or test digits as they lie. */
    void (*logits)(void *net, int test, int first, int n, float *logits);
};

/* begin declarations that C and C++ share */
#ifdef __cplusplus
extern "C" {
#endif
extern const struct path path_reference; /* the CPU, in plain C */

/* end declarations that C and C++ share */
#ifdef __cplusplus
}
#endif

#endif

/* train.h: a path is a way to compute the network; what a trainer does with it.
   C11 and C++17. */
#ifndef MNIST_TRAIN_H
#define MNIST_TRAIN_H

#include "mnist/step.h"

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
    /* Forward in training, with n > 0; the moments of the batch that went
       forward so last, laid out as in the end of w. */
    void (*measure)(void *net, int first, int n, float *moments);
    /* Outputs [n][10] in evaluation, of training or test digits as they lie. */
    void (*answers)(void *net, int test, int first, int n, float *o);
};

/* declare what a trainer does */
C_FUNCTIONS
extern const struct path path_reference; /* step.c, on the CPU */

/* The model's statistics from one pass over the first `count` training digits
   in the path's order, in batches of `batch`. Reads the weights from the net
   into w[m->total], adds the statistics and sets both. */
void train_calibrate(const struct path *path, void *net, const struct model *m,
                     int count, int batch, float *w);

/* How many of the n outputs [n][10] are right; answer[n] unless NULL. */
int train_count(int n, const float *o, const unsigned char *label,
                unsigned char *answer);
/* The same for all digits of d, the test or the training digits of the net. */
int train_right(const struct path *path, void *net, const struct digits *d,
                int test, int batch, unsigned char *answer);

/* PyTorch's running averages s[m->total - m->count], which begin as means of 0
   and variances of 1, after a step on n pictures. */
void train_run(const struct path *path, void *net, const struct model *m, int n,
               double *s);
/* Statistics into w. */
void train_put(const struct model *m, const double *s, float *w);
C_FUNCTIONS_END

#endif

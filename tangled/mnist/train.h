/* train.h: what a trainer does with a path. C11 and C++17. */
#ifndef MNIST_TRAIN_H
#define MNIST_TRAIN_H

#include "mnist/path.h"

/* Running averages, for each channel of both blocks. */
struct running {
    double mean[3 * MODEL_WIDTH_MOST], var[3 * MODEL_WIDTH_MOST];
};

/* begin declarations that C and C++ share */
#ifdef __cplusplus
extern "C" {
#endif

/* declare what a trainer does */
/* The model's statistics from one pass over the first `count` training digits
   in the path's order, in batches of `batch`. Reads the weights from the net
   into w[m->total], adds the statistics and sets both. */
void train_calibrate(const struct path *path, void *net, const struct model *m,
                     int count, int batch, float *w);

/* How many test (or training) digits of d are answered rightly, `batch` at a
   time. answer[d->count] gets the answers, unless NULL. */
int train_right(const struct path *path, void *net, const struct digits *d,
                int test, int batch, unsigned char *answer);
/* The same for n outputs [n][10] that are there. */
int train_count(int n, const float *logits, const unsigned char *label,
                unsigned char *answer);

/* PyTorch's running averages: begin, go on after a step on n pictures, and put
   them into w. */
void running_begin(struct running *r);
void running_step(struct running *r, const struct path *path, void *net,
                  const struct model *m, int n);
void running_put(const struct running *r, const struct model *m, float *w);

/* end declarations that C and C++ share */
#ifdef __cplusplus
}
#endif

#endif

/* step.h: the network, and a step of its training on the CPU, in float; with
   REAL_DOUBLE in double, and then its names end in _d. C11 and C++17. */
#ifndef MNIST_STEP_H
#define MNIST_STEP_H

#include "matmul/real.h"
#include "mnist/digits.h"

/* rename for double */
#ifdef REAL_DOUBLE
#define net net_d
#define model_make model_make_d
#define model_init model_init_d
#define net_open net_open_d
#define net_close net_close_d
#define net_load net_load_d
#define net_forward net_forward_d
#define net_loss net_loss_d
#define net_backward net_backward_d
#define net_step net_step_d
#define net_epoch net_epoch_d
#endif

/* name the tensors */
enum tensors {
    CONV1_W,
    BN1_W,
    BN1_B,
    CONV2_W,
    BN2_W,
    BN2_B,
    FC1_W,
    FC1_B,
    FC2_W,
    FC2_B,
    LEARNED, /* how many are learned; the others are measured */
    BN1_MEAN = LEARNED,
    BN1_VAR,
    BN2_MEAN,
    BN2_VAR,
    TENSORS
};

/* describe the model */
enum { WIDTH_MOST = 256 };

struct tensor {
    const char *name; /* as in PyTorch's state_dict */
    int rank, shape[4];
    size_t at, count;
};

/* Tensor t is w[tensor[t].at] and the `count` numbers from there, row-major:
   filters [out][in][3][3], linear weights [out][in]. */
struct model {
    int width, c1, c2, hidden; /* channels of the blocks, outputs of fc1 */
    size_t count, total;       /* numbers learned; numbers in all */
    struct tensor tensor[TENSORS];
};

/* hold a block */
struct block {
    enum tensors weight;   /* the filters; behind them scale and bias */
    int side, in, out;     /* pixels of a side; channels */
    int wide, plane;       /* side + 2, with the border; wide * wide */
    size_t at[9];          /* of the 9 neighbors, from the first one */
    real *inside;          /* 1 for a pixel, 0 for the border */
    real *x, *dx;          /* comes in: [n][in][plane] */
    real *z, *dz;          /* after the convolution: [n][out][plane] */
    int y_wide, y_plane;   /* after the maximum: [n][out][y_plane], ... */
    real *y, *dy;          /* ... in rows of y_wide */
    unsigned char *winner; /* [n][out][side / 2][side / 2]: 0 to 3, 4: none */
};

/* hold the network */
struct net {
    struct model m;
    int batch, threads, n; /* at most; workers; pictures at hand */
    real *w, *g;           /* m.total numbers; the gradient, m.count */
    real *moments;         /* of this batch, laid out as the end of w */
    const real *stats;     /* what normalizes: moments, or the end of w */
    struct block block[2];
    real *h, *dh, *o, *dout; /* [n][hidden], [n][DIGIT_KINDS] */
    float *pixels;           /* [n][DIGIT_PIXELS] */
    int *label;
    void *room[32]; /* all that was allocated */
    int rooms;
};

C_FUNCTIONS
/* The model of this width, 1 to WIDTH_MOST; 32 is the book's. */
struct model model_make(int width);

/* Initial weights w[total]: uniform by fan-in, tensor t from stream t of the
   seed; biases 0, scales 1; statistics: means 0, variances 1. */
void model_init(const struct model *m, real *w, uint64_t seed);

/* For batches of up to `batch` pictures, on 1 to 8 threads, of which the
   results do not depend. w is zero. net_close() it. */
struct net *net_open(const struct model *m, int batch, int threads);
void net_close(struct net *c);

/* Digits order[first], ... (NULL: first, ...) of d, n from 1 to batch. */
void net_load(struct net *c, const struct digits *d, const int *order,
              int first, int n);
/* The outputs o of the digits at hand, normalized by the batch's own moments
   (training) or by those that the model has. */
void net_forward(struct net *c, int training);
double net_loss(struct net *c);   /* their mean cross-entropy ... */
void net_backward(struct net *c); /* ... and its gradient, into g */

/* All of it, and w -= lr g; returns the loss. An epoch is such steps, through
   all digits but those that fill no batch; it returns the mean loss. */
double net_step(struct net *c, const struct digits *d, const int *order,
                int first, int n, real lr);
double net_epoch(struct net *c, const struct digits *d, const int *order,
                 int batch, real lr);
C_FUNCTIONS_END

#endif

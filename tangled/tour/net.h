/* net.h: a net of one layer that reads digits. C11 and C++17. */
#ifndef TOUR_NET_H
#define TOUR_NET_H

#include "tour/tensor.h"

/* begin declarations of C functions */
#ifdef __cplusplus
extern "C" {
#endif

/* name the sizes of the net */
enum {
    NET_DIGITS = 10,
    NET_SIDE = 7, /* the net sees 7 x 7 cells */
    NET_CELLS = NET_SIDE * NET_SIDE,
    NET_INPUTS = NET_CELLS + 1, /* and one that is always full */
    NET_INK = 9                 /* a full cell; an empty one is 0 */
};

/* declare the net */
struct net {
    struct tensor *w1; /* NET_DIGITS x NET_INPUTS: a row is a picture */
};

/* Ten pictures as in letters.h; '.' is 0, 'a' to 'z' are 1 to 26. */
typedef const char *const net_letters[2 * (NET_SIDE + 1)];

void net_thaw(struct net *nn, net_letters letters);
void net_free(struct net *nn);

/* declare how a picture is read */
/* Shrinks a picture of side x side bytes (0 paper, 255 ink), side a multiple of
   NET_SIDE, to 7 x 7 cells of 0 to NET_INK: column `column` of x. */
void net_pool(struct tensor *x, int column, const unsigned char *picture,
              int side);

/* The scores, NET_DIGITS x n, of the n columns of x; tensor_destroy() them. */
struct tensor *net_scores(const struct net *nn, const struct tensor *x);

/* The digit with the largest score in column `column` of the scores. */
int net_answer(const struct tensor *scores, int column);

/* How many of the first n test pictures of MNIST in dir get their label. */
int net_mark(const struct net *nn, const char *dir, int n);

/* end declarations of C functions */
#ifdef __cplusplus
}
#endif

#endif

/* gather.cuh: which input an output reads, for a convolution and for its input
   gradient. */
#ifndef CONV_GATHER_CUH
#define CONV_GATHER_CUH

#include "conv/size.h"
#include "kernels/launch.h"

/* describe a gather */
/* out[image][o][p][q] = the sum over channels c and taps (i, j) of
   w[o * w_out + c * w_in + i * s + j] * in[image][c][row][col], where
   row = (p * mul + i * step + off) / div, and col likewise from q and j; no
   term where the division leaves a rest or the element does not exist. */
struct gather {
    int n, c, h, w;          /* of in */
    int k, p, q;             /* channels, rows, columns of out */
    int r, s;                /* taps */
    int mul, step, off, div; /* from an output's place to an input's */
    int w_out, w_in;         /* distances in the filter */
};

/* describe the convolution and its input gradient as gathers */
static inline struct gather gather_forward(const struct conv *v)
{
    int P = conv_out_h(v), Q = conv_out_w(v), rs = v->r * v->s;
    struct gather g = {v->n,        v->c,    v->h, v->w,      v->k,
                       P,           Q,       v->r, v->s,      v->stride,
                       v->dilation, -v->pad, 1,    v->c * rs, rs};

    return g;
}

static inline struct gather gather_input_gradient(const struct conv *v)
{
    int P = conv_out_h(v), Q = conv_out_w(v), rs = v->r * v->s;
    struct gather g = {v->n,         v->k,   P,         Q,    v->c,
                       v->h,         v->w,   v->r,      v->s, 1,
                       -v->dilation, v->pad, v->stride, rs,   v->c * rs};

    return g;
}

/* find the input under a tap */
/* The row (column) of the input under tap i of output row (column) p; -1 when
   there is none. */
static __device__ inline int gather_from(struct gather g, int p, int i,
                                         int size)
{
    int at = p * g.mul + i * g.step + g.off;

    if (g.div > 1) {
        if (at % g.div != 0)
            return -1;
        at /= g.div;
    }
    return at < size ? at : -1; /* a negative number stays negative */
}

#endif

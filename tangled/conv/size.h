/* size.h: what a convolution is asked for, and how large its result is. C11,
   C++17 and CUDA. */
#ifndef CONV_SIZE_H
#define CONV_SIZE_H

#include <limits.h>
#include <stdint.h>

#include "tour/check.h"

/* describe a convolution */
/* x is [n][c][h][w], the filters are [k][c][r][s], y is [n][k][P][Q], all
   row-major, with P = conv_out_h, Q = conv_out_w. Stride, padding (zeros on
   each side) and dilation are the same for rows and columns. */
struct conv {
    int n, c, h, w; /* images, channels, rows, columns */
    int k, r, s;    /* filters, their rows, their columns */
    int stride, pad, dilation;
};

/* count the outputs along a side */
/* Outputs along a side: places where a filter of `filter` taps, `dilation`
   apart, fits into `size` elements with `pad` zeros at both ends, if it moves
   by `stride`. 0 when it fits nowhere. stride and dilation are at least 1. */
static inline int64_t conv_out(int size, int filter, int stride, int pad,
                               int dilation)
{
    int64_t span = (int64_t)dilation * (filter - 1) + 1;
    int64_t room = size + 2 * (int64_t)pad - span;

    return room < 0 ? 0 : room / stride + 1;
}

/* count rows and columns of the result */
static inline int conv_out_h(const struct conv *v)
{
    return (int)conv_out(v->h, v->r, v->stride, v->pad, v->dilation);
}

static inline int conv_out_w(const struct conv *v)
{
    return (int)conv_out(v->w, v->s, v->stride, v->pad, v->dilation);
}

/* say why a convolution is refused */
enum { CONV_MOST = INT_MAX - 1023 }; /* so that an int has room for a tile */

/* The number of elements, or a number too large for any tensor of ours. */
static inline int64_t conv_count(int64_t a, int64_t b, int64_t c, int64_t d)
{
    double product = (double)a * (double)b * (double)c * (double)d;

    return product > CONV_MOST ? (int64_t)CONV_MOST + 1 : a * b * c * d;
}
/* Why v cannot be computed, or NULL when it can. n may be 0: no images. */
static inline const char *conv_refusal(const struct conv *v)
{
    if (v->n < 0)
        return "a number of images is negative";
    if (v->c < 1 || v->h < 1 || v->w < 1)
        return "an image has no elements";
    if (v->k < 1 || v->r < 1 || v->s < 1)
        return "there are no filters, or they have no taps";
    if (v->stride < 1 || v->dilation < 1 || v->pad < 0)
        return "stride and dilation start at 1, padding at 0";
    if (v->h + 2 * (int64_t)v->pad > INT_MAX ||
        v->w + 2 * (int64_t)v->pad > INT_MAX)
        return "a padded side is longer than 2^31 - 1";
    if (conv_out_h(v) < 1 || conv_out_w(v) < 1)
        return "the filter is larger than the padded image";
    if (conv_count(v->n, v->c, v->h, v->w) > CONV_MOST ||
        conv_count(v->k, v->c, v->r, v->s) > CONV_MOST ||
        conv_count(v->n, v->k, conv_out_h(v), conv_out_w(v)) > CONV_MOST)
        return "a tensor has more than 2^31 - 1024 elements";
    return NULL;
}
/* Stops the program if v cannot be computed. */
static inline void conv_check(const struct conv *v)
{
    const char *why = conv_refusal(v);

    CHECK(why == NULL,
          "convolution of %d x %d x %d x %d with %d x %d x %d, stride %d, "
          "padding %d, dilation %d: %s",
          v->n, v->c, v->h, v->w, v->k, v->r, v->s, v->stride, v->pad,
          v->dilation, why);
}

/* Elements of x, of the filters and of y. */
static inline size_t conv_x(const struct conv *v)
{
    return (size_t)conv_count(v->n, v->c, v->h, v->w);
}

static inline size_t conv_w(const struct conv *v)
{
    return (size_t)conv_count(v->k, v->c, v->r, v->s);
}

static inline size_t conv_y(const struct conv *v)
{
    return (size_t)conv_count(v->n, v->k, conv_out_h(v), conv_out_w(v));
}

/* compile for host and device */
#ifdef __CUDACC__
#define CONV_FN static inline __host__ __device__
#else
#define CONV_FN static inline
#endif

/* say where a row begins */
/* Where row `row` of channel c of image n begins in a tensor [ ][channels]
   [rows][cols]; meaningful also for a row that does not exist. */
CONV_FN int64_t conv_row(int channels, int rows, int cols, int n, int c,
                         int row)
{
    return (((int64_t)n * channels + c) * rows + row) * cols;
}

#endif

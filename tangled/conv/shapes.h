/* shapes.h: shapes to test convolutions on. C11 and C++17. */
#ifndef CONV_SHAPES_H
#define CONV_SHAPES_H

#include "conv/size.h"
#include "tour/rng.h"

/* list awkward shapes */
/* n, c, h, w, k, r, s, stride, pad, dilation */
static const struct conv conv_shapes[] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 0, 1},    /* a product of two numbers */
    {0, 2, 5, 5, 3, 3, 3, 1, 1, 1},    /* no image */
    {1, 1, 3, 3, 1, 3, 3, 1, 0, 1},    /* one output */
    {2, 3, 7, 5, 4, 3, 2, 1, 1, 1},    /* nothing square */
    {1, 2, 5, 70, 9, 2, 3, 2, 1, 1},   /* steps that leave a rest */
    {1, 2, 6, 6, 8, 3, 3, 3, 2, 2},    /* inputs that nobody reads */
    {1, 2, 3, 4, 3, 3, 3, 1, 5, 1},    /* more padding than image */
    {3, 5, 5, 13, 10, 5, 5, 1, 2, 1},  /* a generic product */
    {2, 1, 9, 28, 32, 3, 3, 1, 1, 1},  /* the trainer's layers, but for */
    {2, 32, 3, 14, 64, 3, 3, 1, 1, 1}, /* the number of rows */
    {1, 1, 9, 10, 66, 3, 3, 1, 1, 1},  /* more filters than fit */
    {1, 49, 2, 5, 97, 3, 3, 1, 1, 1},  /* two by two tiles */
    {2, 3, 1, 132, 12, 3, 3, 1, 1, 1}, /* a row longer than a warp's */
    {1, 30, 6, 9, 37, 3, 3, 1, 0, 1},  /* no padding, odd channels */
    {1, 8, 2, 6, 9, 3, 3, 1, 3, 1},    /* too much padding */
};
enum { CONV_SHAPES = sizeof conv_shapes / sizeof *conv_shapes };

/* draw a random shape */
static inline int conv_draw(uint64_t *seed, int from, int to)
{
    return from + (int)rng_below(seed, (uint32_t)(to - from + 1));
}

/* A random shape that can be computed; every third has 3 x 3 taps. */
static inline struct conv conv_random(uint64_t *seed)
{
    struct conv v;

    do {
        int d = conv_draw(seed, 0, 2);
        struct conv any = {
            conv_draw(seed, 0, 3),         conv_draw(seed, 1, 12),
            conv_draw(seed, 1, 13),        conv_draw(seed, 1, 13),
            conv_draw(seed, 1, 18),        d ? conv_draw(seed, 1, 4) : 3,
            d ? conv_draw(seed, 1, 4) : 3, d ? conv_draw(seed, 1, 3) : 1,
            conv_draw(seed, 0, 3),         d ? conv_draw(seed, 1, 3) : 1};

        v = any;
    } while (conv_refusal(&v) != NULL);
    return v;
}

#endif

/* draw.h: from random words to numbers. C11, C++17 and CUDA. Each operation is
   exact or correctly rounded, so the numbers are the same everywhere. */
#ifndef RANDOM_DRAW_H
#define RANDOM_DRAW_H

#include <math.h>

#include "random/philox.h"

/* draw a float */
/* k / 2^24, with k the top 24 bits of the word: uniform in [0, 1). */
RANDOM_FN float draw_float(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

/* As cuRAND does it: (word + 1/2) / 2^32, rounded, in (0, 1]. */
RANDOM_FN float draw_curand(uint32_t word)
{
    return (float)word * 0x1p-32f + 0x1p-33f;
}

/* draw a float of either sign */
/* (2k + 1 - 2^24) / 2^24: uniform in (-1, 1), as often -x as x, never 0. */
RANDOM_FN float draw_signed(uint32_t word)
{
    return (float)(2 * (int32_t)(word >> 8) - 16777215) * 0x1p-24f;
}

/* draw a whole number */
/* Number i of the stream in [0, n), n > 0, all exactly as probable. Uses words
   of its own: give it a stream that nothing else is drawn from. Lemire, "Fast
   random integer generation in an interval", 2019. */
RANDOM_FN uint32_t draw_below(uint64_t seed, uint64_t stream, uint32_t i,
                              uint32_t n)
{
    uint32_t refused = (0u - n) % n; /* 2^32 mod n */

    for (uint64_t block = i;; block += UINT64_C(1) << 32) {
        struct philox p = philox_at(seed, stream, block);

        for (int k = 0; k < 4; k++) {
            uint64_t product = (uint64_t)p.w[k] * n;

            if ((uint32_t)product >= refused)
                return (uint32_t)(product >> 32);
        }
    }
}

/* draw a logarithm */
/* ln u for a normal float u > 0, to a few units in the last place. */
RANDOM_FN float draw_log(float u)
{
    int exponent;
    float m = frexpf(u, &exponent), s, z, sum;

    if (m < 0.70710678f) {
        m *= 2;
        exponent--;
    }
    s = (m - 1) / (m + 1);
    z = s * s;
    sum = fmaf(z, 2.0f / 9, 2.0f / 7);
    sum = fmaf(z, sum, 2.0f / 5);
    sum = fmaf(z, sum, 2.0f / 3);
    sum = fmaf(s * z, sum, 2 * s);
    return fmaf((float)exponent, 0.693147181f, sum);
}

/* draw a point on the circle */
struct draw_pair {
    float x, y;
};

/* cos and sin of (word + 1/2) / 2^32 turns. */
RANDOM_FN struct draw_pair draw_circle(uint32_t word)
{
    uint32_t quarter = (word + 0x20000000u) >> 30;
    float a = (float)(int32_t)(word - (quarter << 30)), z, c, s;
    struct draw_pair p;

    a = fmaf(a, 1.46291807e-9f, 7.31459036e-10f); /* pi / 2^31, pi / 2^32 */
    z = a * a;
    s = fmaf(z, 1.0f / 362880, -1.0f / 5040);
    s = fmaf(z, fmaf(z, s, 1.0f / 120), -1.0f / 6);
    s = fmaf(a * z, s, a);
    c = fmaf(z, -1.0f / 3628800, 1.0f / 40320);
    c = fmaf(z, fmaf(z, c, -1.0f / 720), 1.0f / 24);
    c = fmaf(z, fmaf(z, c, -0.5f), 1);
    p.x = quarter & 1 ? -s : c;
    p.y = quarter & 1 ? c : s;
    if (quarter & 2) {
        p.x = -p.x;
        p.y = -p.y;
    }
    return p;
}

/* draw a pair of normals */
/* Two independent normal numbers, mean 0 and variance 1. Box and Muller, "A
   note on the generation of random normal deviates", 1958. */
RANDOM_FN struct draw_pair draw_normals(uint32_t word, uint32_t other)
{
    float u = fmaf((float)word, 0x1p-32f, 0x1p-33f);
    float r = sqrtf(-2 * draw_log(u));
    struct draw_pair p = draw_circle(other);

    p.x *= r;
    p.y *= r;
    return p;
}

#endif

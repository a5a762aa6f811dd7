/* reference.h: what the histograms compute, and data for them. */
#ifndef ATOMICS_REFERENCE_H
#define ATOMICS_REFERENCE_H

#include "tour/rng.h"

enum { BINS = 256 };
enum kind { UNIFORM, EQUAL, RUNS, TWO, RISING, KINDS };

/* count bytes on the CPU */
/* counts[b] = how many of in[0..n) are b, for b < BINS. */
static void histogram_reference(size_t n, const unsigned char *in,
                                unsigned *counts)
{
    for (int b = 0; b < BINS; b++)
        counts[b] = 0;
    for (size_t i = 0; i < n; i++)
        counts[in[i]]++;
}

/* make data of a kind */
/* Fills in[0..n) with data of a kind; the same for the same seed. */
static void histogram_data(enum kind kind, size_t n, uint64_t seed,
                           unsigned char *in)
{
    uint64_t r = 0;

    for (size_t i = 0; i < n; i++) {
        if (i % 8 == 0)
            r = rng_at(seed, i / 8);
        in[i] = (unsigned char)(r >> i % 8 * 8);
        if (kind == EQUAL)
            in[i] = (unsigned char)seed;
        else if (kind == RUNS)
            in[i] = (unsigned char)(i / 100 * 37);
        else if (kind == TWO)
            in[i] = in[i] % 2 ? 3 : 200;
        else if (kind == RISING)
            in[i] = (unsigned char)i;
    }
}

#endif

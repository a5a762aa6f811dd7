/* reference.h: what the histograms compute, in plain C, and data for them. */
#ifndef ATOMICS_REFERENCE_H
#define ATOMICS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum { BINS = 256 };

#ifdef __cplusplus
extern "C" {
#endif
/* counts[b] = how many of in[0..n) are b, for b < BINS. */
void histogram_reference(size_t n, const unsigned char *in, unsigned *counts);

/* declare the kinds of data */
enum kind { UNIFORM, EQUAL, RUNS, TWO, RISING, KINDS };

/* Fills in[0..n) with data of a kind; the same for the same seed. */
void histogram_data(enum kind kind, size_t n, uint64_t seed, unsigned char *in);
#ifdef __cplusplus
}
#endif

#endif

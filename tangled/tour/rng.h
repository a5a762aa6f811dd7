/* rng.h: random numbers that are the same everywhere. C11, C++17 and CUDA. */
#ifndef TOUR_RNG_H
#define TOUR_RNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define RNG_FN static inline __host__ __device__
#else
#define RNG_FN static inline
#endif

/* mix 64 bits */
/* A bijection of 64-bit words: splitmix64's output function, the variant 13 of
   D. Stafford's mixers. */
RNG_FN uint64_t rng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* draw 64 random bits */
/* The next of 2^64 words; *state is the seed at first. Steele, Lea and Flood,
   "Fast splittable pseudorandom number generators", 2014; constants as in
   S. Vigna's splitmix64.c, 2015. */
RNG_FN uint64_t rng_u64(uint64_t *state)
{
    return rng_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

/* Word i, counted from 0, of the sequence that starts at seed: no state, so any
   thread can ask for any word. */
RNG_FN uint64_t rng_at(uint64_t seed, uint64_t i)
{
    return rng_mix(seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* draw a float */
/* The top 24 bits of a word as k / 2^24: uniform in [0, 1), never 1. */
RNG_FN float rng_to_float(uint64_t word)
{
    return (float)(word >> 40) * (1.0f / 16777216.0f);
}

RNG_FN float rng_float(uint64_t *state)
{
    return rng_to_float(rng_u64(state));
}

/* draw a small integer as a float */
/* An integer in [0, n), n > 0: the top 32 bits times n, shifted down. Off from
   uniform by less than n / 2^32. */
RNG_FN uint32_t rng_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((rng_u64(state) >> 32) * n) >> 32);
}

/* -4, -3, ... 4. Sums of up to 2^22 of them, and sums of up to 2^20 products
   of two, are exact in float in every order: no partial sum passes 2^24. */
RNG_FN float rng_small(uint64_t *state)
{
    return (float)rng_below(state, 9) - 4.0f;
}

/* fill an array with random numbers */
/* x[0..n) from seed: uniform in [0, 1), or integers from -4 to 4. */
static inline void rng_fill_float(float *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = rng_float(&seed);
}

static inline void rng_fill_small(float *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        x[i] = rng_small(&seed);
}

#endif

/* philox.h: Philox4x32-10, random words that any thread can ask for by number.
   C11, C++17 and CUDA; the same words everywhere. Salmon, Moraes, Dror and
   Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011. */
#ifndef RANDOM_PHILOX_H
#define RANDOM_PHILOX_H

#include <stdint.h>

#ifdef __CUDACC__
#define RANDOM_FN static inline __host__ __device__
#else
#define RANDOM_FN static inline
#endif

/* mix once */
struct philox {
    uint32_t w[4];
};

/* take the upper half of a product */
/* The upper half of a product. */
RANDOM_FN uint32_t philox_upper(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
    return __umulhi(a, b);
#else
    return (uint32_t)((uint64_t)a * b >> 32);
#endif
}

RANDOM_FN struct philox philox_round(struct philox c, uint32_t k0, uint32_t k1)
{
    struct philox r;

    r.w[0] = philox_upper(0xcd9e8d57u, c.w[2]) ^ c.w[1] ^ k0;
    r.w[1] = 0xcd9e8d57u * c.w[2];
    r.w[2] = philox_upper(0xd2511f53u, c.w[0]) ^ c.w[3] ^ k1;
    r.w[3] = 0xd2511f53u * c.w[0];
    return r;
}

/* mix ten times */
/* The bijection of blocks that the key (k0, k1) chooses. */
RANDOM_FN struct philox philox_mix(struct philox c, uint32_t k0, uint32_t k1)
{
    for (int i = 0; i < 10; i++) {
        c = philox_round(c, k0, k1);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

/* number the words of a stream */
/* Block i (four words) of stream `stream` of `seed`, all counted from 0. */
RANDOM_FN struct philox philox_at(uint64_t seed, uint64_t stream, uint64_t i)
{
    struct philox c;

    c.w[0] = (uint32_t)i;
    c.w[1] = (uint32_t)(i >> 32);
    c.w[2] = (uint32_t)stream;
    c.w[3] = (uint32_t)(stream >> 32);
    return philox_mix(c, (uint32_t)seed, (uint32_t)(seed >> 32));
}

/* Word i of the same stream: word i % 4 of block i / 4. */
RANDOM_FN uint32_t philox_word(uint64_t seed, uint64_t stream, uint64_t i)
{
    struct philox b = philox_at(seed, stream, i >> 2);

    return i & 2 ? b.w[2 | (i & 1)] : b.w[i & 1];
}

/* number the words as cuRAND's host does */

/* Word m of what curandGenerate writes for Philox, in the orders BEST, DEFAULT
   and LEGACY: four words of each of 65536 streams in turn. */
RANDOM_FN uint32_t philox_curand(uint64_t seed, uint64_t m)
{
    return philox_word(seed, (m >> 2) & 65535, m >> 18 << 2 | (m & 3));
}

#endif

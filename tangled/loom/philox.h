/* philox.h: the words and floats of cuRAND's Philox4x32-10. C11 and C++17. */
#ifndef LOOM_PHILOX_H
#define LOOM_PHILOX_H

#include <stdint.h>

/* mix a block of four words */
struct loom_philox {
    uint32_t w[4];
};

/* Block i of a stream of a seed. */
static inline struct loom_philox loom_philox(uint64_t seed, uint64_t stream,
                                             uint64_t i)
{
    struct loom_philox c = {{(uint32_t)i, (uint32_t)(i >> 32), (uint32_t)stream,
                             (uint32_t)(stream >> 32)}};
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);

    for (int round = 0; round < 10; round++) {
        uint64_t a = UINT64_C(0xd2511f53) * c.w[0];
        uint64_t b = UINT64_C(0xcd9e8d57) * c.w[2];

        c.w[0] = (uint32_t)(b >> 32) ^ c.w[1] ^ k0;
        c.w[1] = (uint32_t)b;
        c.w[2] = (uint32_t)(a >> 32) ^ c.w[3] ^ k1;
        c.w[3] = (uint32_t)a;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}

/* make a float of a word */
/* (word + 1/2) / 2^32, rounded. */
static inline float loom_uniform(uint32_t word)
{
    return (float)word * 0x1p-32f + 0x1p-33f;
}

/* The same of two words, with 53 bits. */
static inline double loom_uniform_double(uint32_t x, uint32_t y)
{
    uint64_t z = (uint64_t)x ^ (uint64_t)y << 21;

    return (double)z * 0x1p-53 + 0x1p-54;
}

#endif

/* kinds.h: number i of each kind that this chapter draws, as its bits. */
#ifndef RANDOM_KINDS_H
#define RANDOM_KINDS_H

#include <string.h>

#include "random/init.h"

enum kind { WORDS, FLOATS, NORMALS, WEIGHTS, RANGES, ORDER, KINDS };

/* give the bits of number i */
RANDOM_FN uint32_t float_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* i < n; for RANGES and ORDER both below 2^31. */
RANDOM_FN uint32_t kind_bits(int kind, uint64_t seed, uint64_t stream,
                             uint64_t i, uint64_t n)
{
    if (kind == WORDS)
        return philox_word(seed, stream, i);
    if (kind == RANGES)
        return draw_below(seed, stream, (uint32_t)i, (uint32_t)n);
    if (kind == ORDER)
        return shuffle_at((uint32_t)i, (uint32_t)n, seed, stream);
    if (kind == FLOATS)
        return float_bits(draw_float(philox_word(seed, stream, i)));
    if (kind == NORMALS)
        return float_bits(init_normal_at(seed, stream, i, 1));
    return float_bits(
        init_uniform_at(seed, stream, i, init_kaiming_bound((int)n)));
}

/* declare the host's answers */
#ifdef __cplusplus
extern "C"
#endif
    /* kind_bits as a C compiler made it for the host. */
    uint32_t
    kind_bits_host(int kind, uint64_t seed, uint64_t stream, uint64_t i,
                   uint64_t n);

#endif

/* kinds.c: the host's answers. */
#include "random/kinds.h"

uint32_t kind_bits_host(int kind, uint64_t seed, uint64_t stream, uint64_t i,
                        uint64_t n)
{
    return kind_bits(kind, seed, stream, i, n);
}

/* threads: the first words of generators that are seeded with the number of
   their thread. */
#include <stdio.h>

#include "random/philox.h"

/* step two small generators */
static uint32_t lcg(uint32_t x)
{
    return 1664525u * x + 1013904223u;
}

static uint32_t xorshift(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

int main(void)
{
    puts("thread      lcg  (step)  xorshift    philox");
    for (uint32_t t = 1; t <= 6; t++)
        printf("%6u %08x %7u  %08x  %08x\n", t, lcg(t), lcg(t) - lcg(t - 1),
               xorshift(t), philox_word(1, t, 0));
    return 0;
}

/* threads: the first words of generators that are seeded with the number of
   their thread. */
#include <stdio.h>

#include "random/philox.h"
#include "tour/args.h"

/* step two generators with a state */
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

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("threads", 6, 1, 1000)};
    uint32_t before = 0;

    args_parse(argc, argv, "the first words of threads", args, ARG_COUNT(args));
    puts("thread      lcg  (step)  xorshift    philox");
    for (uint32_t t = 1; t <= args[0].value; t++) {
        printf("%6u %08x %7u  %08x  %08x\n", t, lcg(t), lcg(t) - before,
               xorshift(t), philox_word(1, t, 0));
        before = lcg(t);
    }
    return 0;
}

/* same: how many different results has the same sum? */
#include <stdio.h>
#include <string.h>

#include "reduce/reduce.cuh"
#include "reduce/same.cuh"
#include "tour/args.h"
#include "tour/rng.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100000, 1, 1 << 28),
                         ARG_SIZE("runs", 20, 1, 1000)};
    uint64_t seed = args_parse(argc, argv, "sums that are repeated", args,
                               ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    int runs = (int)args[1].value, once, other, atomic;

    once = count_results(SUM_ONCE, n, runs, 0, seed);
    other = count_results(SUM_ONCE, n, runs, 1, seed);
    atomic = count_results(SUM_ATOMIC, n, runs, 0, seed);
    CHECK(once == 1, "a fixed order has given %d results", once);
    printf("ok: %d runs in a fixed order, 1 result\n", runs);
    printf("with %d numbers of blocks: %d results\n", runs, other);
    printf("with atomics: %d\n", atomic);
    return 0;
}

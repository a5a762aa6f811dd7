/* same: sums and scans, repeated; who promises a fixed order must keep it. */
#include <stdio.h>

#include "reduce/same.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 20000, 0, 1 << 28),
                         ARG_SIZE("runs", 20, 1, 1000)};
    uint64_t seed =
        args_parse(argc, argv, "the same bits?", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    int runs = (int)args[1].value;

    for (int how = 0; how < SUM_ATOMIC; how++) {
        int got = count_results(0, how, n, runs, 0, seed);

        CHECK(got == 1, "%s has %d results", sum_names[how], got);
    }
    CHECK(count_results(1, SCAN_ROUNDS, n, runs, 0, seed) == 1,
          "%s has many results", scan_names[SCAN_ROUNDS]);
    printf("ok: %zu floats, %d runs, the same bits in a fixed order\n", n,
           runs);
    return 0;
}

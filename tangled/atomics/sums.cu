/* sums: the same floats added by atomics, again and again. */
#include <stdio.h>

#include "atomics/sums.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 1, 1 << 22),
                         ARG_SIZE("runs", 10, 1, 1000)};
    uint64_t seed = args_parse(argc, argv, "sums in the order of arrival", args,
                               ARG_COUNT(args));
    struct sums s = add_again((int)args[0].value, (int)args[1].value, seed);

    printf("float: %d different sums\n", s.floats);
    CHECK(s.fixed == 1, "fixed point: %d different sums", s.fixed);
    printf("ok: fixed point: 1 sum\n");
    return 0;
}

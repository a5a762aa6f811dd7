/* count: n threads add 1 to one counter. */
#include <stdio.h>

#include "atomics/count.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 1, 1 << 28), ARG_FLAG("--plain")};
    unsigned n, count;

    args_parse(argc, argv, "add 1 to a counter", args, ARG_COUNT(args));
    n = (unsigned)args[0].value;
    if (args[1].value) {
        printf("plain:  %u of %u arrive\n", count_with(count_plain, n), n);
        printf("mixed:  %u of %u arrive\n", count_with(count_mixed, n), n);
    }
    count = count_with(count_atomic, n);
    CHECK(count == n, "atomic: %u of %u arrive", count, n);
    printf("ok: atomic: %u of %u arrive\n", count, n);
    return 0;
}

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
        unsigned plain = count_with(count_plain, n);
        unsigned mixed = count_with(count_mixed, n);

        printf("plain:  %u of %u arrive\n", plain, n);
        printf("mixed:  %u of %u arrive\n", mixed, n);
        CHECK(plain >= 1 && plain <= n && mixed >= 1 && mixed <= n,
              "of %u additions no kernel can count %u or %u", n, plain, mixed);
    }
    count = count_with(count_atomic, n);
    CHECK(count == n, "atomic: %u of %u arrive", count, n);
    printf("ok: atomic: %u of %u arrive\n", count, n);
    return 0;
}

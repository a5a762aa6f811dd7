/* litmus: what the memory model allows, and what is seen. */
#include <stdio.h>

#include "sync/litmus.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("pairs", 2, 1, 64),
                         ARG_SIZE("rounds", 3, 1, 1000000)};
    unsigned pairs = 1;

    args_parse(argc, argv, "litmus tests of memory", args, ARG_COUNT(args));
    while (2 * pairs <= (unsigned)args[0].value)
        pairs *= 2;
    for (int t = 0; t < TESTS; t++)
        for (int f = 0; f < FENCES; f++) {
            long weak = litmus_weak((enum litmus)t, (enum fence)f, pairs,
                                    (int)args[1].value);

            printf("%-9s fence %-4s %-9s seen %ld times\n", litmus_names[t],
                   fence_names[f],
                   litmus_allowed[t][f] ? "allowed," : "forbidden", weak);
            CHECK(weak == 0 || litmus_allowed[t][f], "%s with fence %s",
                  litmus_names[t], fence_names[f]);
        }
    printf("ok: nothing that is forbidden was seen\n");
    return 0;
}

/* scoreboard: does a thread wait for its loads? */
#include <stdio.h>

#include "memory/scoreboard.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    static const char *const names[] = {"one load", "eight, used together",
                                        "eight, issued", "eight, in a chain",
                                        "eight stores, issued"};
    struct arg args[] = {ARG_FLAG("--times")};
    long long spent[TIMES];

    args_parse(argc, argv, "loads", args, ARG_COUNT(args));
    run_loads(spent);
    for (int k = 0; k < TIMES && args[0].value; k++)
        printf("%-22s %6lld cycles\n", names[k], spent[k]);
#ifndef __SIMT__ /* the machine's clock is a CPU's */
    CHECK(spent[TOGETHER] < 2 * spent[ONE],
          "eight loads: %lld cycles, one: %lld", spent[TOGETHER], spent[ONE]);
    CHECK(spent[CHAINED] > 4 * spent[ONE],
          "a chain of eight: %lld cycles, one: %lld", spent[CHAINED],
          spent[ONE]);
#endif
    printf("ok: every load and store arrived\n");
    return 0;
}

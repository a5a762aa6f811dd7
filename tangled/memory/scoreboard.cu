/* scoreboard: does a thread wait for its loads? */
#include <stdio.h>

#include "memory/probes.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    long long t[TIMES] = {0};

    args_parse(argc, argv, "loads that wait", NULL, 0);
    run_loads(t);
#ifndef __SIMT__
    printf("one load %lld cycles, eight together %lld, in a chain %lld\n",
           t[ONE], t[TOGETHER], t[CHAINED]);
    CHECK(t[TOGETHER] < 2 * t[ONE], "eight loads do not overlap");
    CHECK(t[CHAINED] > 4 * t[ONE], "loads of a chain overlap");
#endif
    printf("ok: every load and store arrived\n");
    return 0;
}

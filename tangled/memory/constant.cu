/* constant: the same table in two memories, read by lanes that agree or not. */
#include <stdio.h>

#include "memory/constant.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("turns", 100, 1, 1 << 16)};
    uint64_t seed =
        args_parse(argc, argv, "look up constants", args, ARG_COUNT(args));
    struct tables t = tables_new(2, (int)args[0].value, seed);

    for (t.constant = 0; t.constant <= 1; t.constant++)
        for (t.spread = 0; t.spread <= 33; t.spread += 11)
            check_look_up(&t, seed);
    tables_free(&t);
    printf("ok: %d look-ups in two memories\n", t.turns);
    return 0;
}

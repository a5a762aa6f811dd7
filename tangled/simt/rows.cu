/* rows: add up the rows of a matrix, by warps and by threads. */
#include <stdio.h>

#include "simt/rows.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rows", 100, 0, 1 << 22),
                         ARG_SIZE("cols", 100, 0, 1 << 16)};
    uint64_t seed =
        args_parse(argc, argv, "sums over rows", args, ARG_COUNT(args));

    check_rows(rows_by_warp, (int)args[0].value, (int)args[1].value, seed);
    check_rows(rows_by_thread, (int)args[0].value, (int)args[1].value, seed);
    printf("ok: %d rows of %d, by warps and by threads\n", (int)args[0].value,
           (int)args[1].value);
    return 0;
}

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
    int rows, cols;

    rows = (int)args[0].value;
    cols = (int)args[1].value;
    check_rows(rows_by_warp, rows, cols, seed);
    if (cols % 4 == 0)
        check_rows(rows_by_eight, rows, cols, seed);
    check_rows(rows_by_thread, rows, cols, seed);
    printf("ok: %d rows of %d, by warps, %sby threads\n", rows, cols,
           cols % 4 ? "" : "by eight lanes, ");
    return 0;
}

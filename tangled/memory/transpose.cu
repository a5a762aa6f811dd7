/* transpose: a matrix transposed in all variants, checked. */
#include <stdio.h>

#include "memory/transpose.cuh"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rows", 100, 0, 65536),
                         ARG_SIZE("cols", 70, 0, 65536),
                         ARG_TEXT("--only", "all")};
    uint64_t seed =
        args_parse(argc, argv, "rows for columns", args, ARG_COUNT(args));
    int rows = (int)args[0].value, cols = (int)args[1].value;

    CHECK((int64_t)rows * cols <= 1 << 30, "%d x %d is too many elements", rows,
          cols);
    try_moves(transposes, TRANSPOSES, rows, cols, args[2].text, seed);
    printf("ok: %d x %d transposed by %s\n", rows, cols, args[2].text);
    return 0;
}

/* box: a box filter in all variants, checked. */
#include <stdio.h>

#include "memory/bulk.cuh"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 3001, 0, 1 << 26),
                         ARG_TEXT("--only", "all")};
    uint64_t seed =
        args_parse(argc, argv, "a box filter", args, ARG_COUNT(args));

    struct move all[BOXES + BULKS];

    memcpy(all, boxes, sizeof boxes);
    memcpy(all + BOXES, bulks, sizeof bulks);
    try_moves(all, BOXES + bulks_here(), 1, (int)args[0].value, args[1].text,
              seed);
    printf("ok: %d elements filtered by %s\n", (int)args[0].value,
           args[1].text);
    return 0;
}

/* copy: y = x in all variants, checked. */
#include <stdio.h>

#include "memory/copy.cuh"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100003, 0, 1 << 28),
                         ARG_TEXT("--only", "all")};
    uint64_t seed =
        args_parse(argc, argv, "y = x in many ways", args, ARG_COUNT(args));

    try_moves(copies, COPIES, 1, (int)args[0].value, args[1].text, seed);
    printf("ok: %d floats copied by %s\n", (int)args[0].value, args[1].text);
    return 0;
}

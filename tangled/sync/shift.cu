/* shift: shift an array left by one, with and without waiting. */
#include <stdio.h>

#include "kernels/launch.h"
#include "sync/shift.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 5000, 1, 1 << 26),
                         ARG_SIZE("block", 256, 1, 1024), ARG_FLAG("--racy")};
    uint64_t seed =
        args_parse(argc, argv, "shift left by one", args, ARG_COUNT(args));
    int n = (int)args[0].value, block = (int)args[1].value;

    for (int how = args[2].value ? RACY : BLOCK; how < SHIFTS; how++) {
        int differ = try_shift((enum shift)how, n, block, seed);

        if (how < BLOCK)
            printf("%s: %d of %d elements differ\n", shift_names[how], differ,
                   n);
        CHECK(how < BLOCK || differ == 0, "%s: %d of %d elements differ",
              shift_names[how], differ, n);
    }
    printf("ok: %d elements shifted by block, kernels and grid\n", n);
    return 0;
}

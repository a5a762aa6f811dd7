/* divergence: the same paths within warps and between them. */
#include <stdio.h>

#include "simt/divergence.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 24),
                         ARG_SIZE("turns", 20, 0, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "up to 32 paths in a warp", args,
                               ARG_COUNT(args));
    struct walk w = {(int)args[0].value, 1, (int)args[1].value, NULL};

    for (int paths = 1; paths <= 32; paths++)
        for (w.group = 1; w.group <= WARP; w.group *= WARP)
            check_walk(w, paths, seed);
    printf("ok: %d elements, 1 to 32 paths, within warps and by warps\n", w.n);
    return 0;
}

/* resident: how many blocks does an SM hold at once? */
#include <stdio.h>

#include "simt/resident.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 96, 1, 16384),
                         ARG_SIZE("threads", 256, 1, 1024),
                         ARG_SIZE("shared", 0, 0, 49152),
                         ARG_NUMBER("--turns", 64, 64, 1 << 20)};
    int blocks, threads, most, fit;
    struct stay *h;

    args_parse(argc, argv, "when and where blocks ran", args, ARG_COUNT(args));
    blocks = (int)args[0].value;
    threads = (int)args[1].value;
    h = (struct stay *)check_alloc((size_t)blocks, sizeof *h);
    stay_all(blocks, threads, (size_t)args[2].value, (int)args[3].value, h);
    most = most_together(h, blocks);
    fit = room(threads, (size_t)args[2].value);
    CHECK(most <= fit, "%d blocks together, but %d fit", most, fit);
    printf("ok: %d blocks of %d threads; %d fit on an SM, %d were together "
           "(%d threads)\n",
           blocks, threads, fit, most, most * threads);
    free(h);
    return 0;
}

/* linear: a linear layer on the device, forward and backward. */
#include <stdio.h>

#include "layers/try_linear.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    static const int sizes[][3] = {{1, 1, 1},    {2, 3, 5},   {7, 33, 10},
                                   {31, 1, 129}, {65, 32, 3}, {129, 17, 31},
                                   {0, 4, 5},    {3, 0, 2},   {3, 4, 0}};
    struct arg args[] = {ARG_SIZE("batch", 64, 0, 4096),
                         ARG_SIZE("in", 96, 0, 4096),
                         ARG_SIZE("out", 10, 0, 4096)};
    uint64_t seed = args_parse(argc, argv, "a linear layer, tried", args, 3);
    int own[3] = {(int)args[0].value, (int)args[1].value, (int)args[2].value};

    for (int k = 0; k < ARG_COUNT(sizes); k++)
        trial("linear", run_linear, sizes[k], 0, 0, seed + k);
    trial("linear", run_linear, own, 0, 0, seed);
    printf("ok: linear, %d sizes\n", ARG_COUNT(sizes) + 1);
    return 0;
}

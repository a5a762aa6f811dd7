/* batchnorm: batch norm on the device, in training, in inference and back. */
#include <stdio.h>

#include "layers/try_norm.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    static const int sizes[][3] = {
        {1, 1, 1},    {2, 1, 1},     {1, 3, 2},   {5, 3, 7},   {3, 2, 8},
        {33, 1, 31},  {2, 33, 12},   {9, 2, 196}, {4, 3, 784}, {1, 2, 1300},
        {70, 1, 147}, {7, 300, 113}, {41, 1, 836}};
    struct arg args[] = {ARG_SIZE("n", 7, 1, 4096), ARG_SIZE("c", 5, 1, 4096),
                         ARG_SIZE("hw", 36, 1, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "a batch norm, tried", args, 3);
    int own[3] = {(int)args[0].value, (int)args[1].value, (int)args[2].value};

    for (int k = 0; k < ARG_COUNT(sizes); k++)
        trial("norm", run_norm, sizes[k], 0, k % 3 * 50, seed + k);
    trial("norm", run_norm, own, 0, 0, seed);
    printf("ok: batch norm, %d sizes\n", ARG_COUNT(sizes) + 1);
    return 0;
}

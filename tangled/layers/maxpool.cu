/* maxpool: the largest of each 2 x 2 on the device, and the way back. */
#include <stdio.h>

#include "layers/try_pool.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    static const int large[][3] = {{3, 31, 129}, {3, 65, 34}};
    struct arg args[] = {ARG_SIZE("planes", 6, 0, 1 << 20),
                         ARG_SIZE("h", 28, 0, 1 << 12),
                         ARG_SIZE("w", 28, 0, 1 << 12)};
    uint64_t seed = args_parse(argc, argv, "a max-pool, tried", args, 3);
    int size[3] = {(int)args[0].value, (int)args[1].value, (int)args[2].value};

    trial("pool", run_pool, size, 0, 0, seed);
    for (int k = 0; k < 2; k++)
        trial("pool", run_pool, large[k], k, 0, seed);
    for (int k = 0; k < 100; k++) {
        size[0] = 1 + k % 3;
        size[1] = k / 10;
        size[2] = k % 10;
        trial("pool", run_pool, size, k / 10 % 2, 0, seed + k);
    }
    printf("ok: max-pool, 103 sizes\n");
    return 0;
}

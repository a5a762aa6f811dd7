/* banks: predict the passes of a strided read of shared memory; make it. */
#include <stdio.h>

#include "memory/patterns.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {
        ARG_SIZE("bytes", 4, 4, 16), ARG_SIZE("stride", 1, 0, 64),
        ARG_SIZE("warps", 2, 1, 32), ARG_SIZE("turns", 16, 1, 1 << 16)};
    uint64_t seed =
        args_parse(argc, argv, "bank conflicts", args, ARG_COUNT(args));
    int size = (int)args[0].value, stride = (int)args[1].value;
    int warps = (int)args[2].value, turns = (int)args[3].value;

    CHECK(size == 4 || size == 8 || size == 16,
          "an element has 4, 8 or 16 bytes, not %d", size);
    if (size == 4)
        run_banks<float>(stride, warps, turns, seed);
    else if (size == 8)
        run_banks<float2>(stride, warps, turns, seed);
    else
        run_banks<float4>(stride, warps, turns, seed);
    printf("predicted: %d passes\n", predict_passes(size, stride));
    return 0;
}

/* latency: how many instructions does an SM issue in a cycle? */
#include <stdio.h>

#include "simt/latency.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {
        ARG_SIZE("warps", 16, 1, 64), ARG_SIZE("turns", 50, 1, 1 << 20),
        ARG_NUMBER("--sms", 0, 0, SM_MOST), ARG_FLAG("--rates")};
    int warps, turns, sms;

    args_parse(argc, argv, "hide latency behind warps", args, ARG_COUNT(args));
    warps = (int)args[0].value;
    warps -= warps > 32 && warps % 2;
    turns = (int)args[1].value;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    if (args[2].value)
        sms = (int)args[2].value;
    for (int k = 0; k < 3; k++) {
        double ipc = rate(latencies[k].count, sms, warps, turns);

        if (args[3].value)
            printf("%s: %.3f instructions per cycle\n", latencies[k].name, ipc);
    }
    printf("ok: %d warps on each SM, %d turns, all ends are right\n", warps,
           turns);
    return 0;
}

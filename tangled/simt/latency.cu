/* latency: how many instructions does an SM issue in a cycle? */
#include <stdio.h>

#include "simt/latency.cuh"
#include "tour/args.h"

/* run the three kernels */
static void run_all(struct latency *l, int show)
{
    for (int k = 0; k < LATENCY_KINDS; k++) {
        double ipc = latency_run(l, (enum latency_kind)k);

        latency_check(l, (enum latency_kind)k);
        if (show)
            printf("%s: %.3f instructions per cycle\n", latency_names[k], ipc);
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {
        ARG_SIZE("warps", 16, 1, 64), ARG_SIZE("turns", 50, 1, 1 << 20),
        ARG_NUMBER("--sms", 0, 0, SM_MOST), ARG_FLAG("--rates")};
    struct latency l;
    int device, sms;

    args_parse(argc, argv, "hide latency behind warps", args, ARG_COUNT(args));
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    l = latency_new(args[2].value ? (int)args[2].value : sms,
                    (int)args[0].value, (int)args[1].value);
    run_all(&l, args[3].value != 0);
    printf("ok: %d warps on each SM, %d turns, all ends are right\n",
           l.blocks * l.threads / WARP / l.sms, l.turns);
    latency_free(&l);
    return 0;
}

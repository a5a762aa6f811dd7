/* bandwidth: the computed peak of each memory, and a check of its reader. */
#include <stdio.h>

#include "memory/bandwidth.cuh"
#include "tour/args.h"

/* print the computed peaks */
static void print_peaks(double sms, double mhz, double memory, double bits)
{
    printf("registers  %10.0f GB/s\n",
           peak_sms(sms, mhz, REGISTER_BYTES) / 1e9);
    printf("shared, L1 %10.0f GB/s\n", peak_sms(sms, mhz, SHARED_BYTES) / 1e9);
    printf("memory     %10.0f GB/s\n", peak_dram(memory, bits) / 1e9);
    printf("PCIe 5x16  %10.1f GB/s\n", peak_pcie(32, 16) / 1e9);
}

/* check all rungs */
static void check_rungs(int turns, uint64_t seed)
{
    static const char *const names[] = {"registers", "shared", "l1", "l2",
                                        "memory"};

    for (int k = 0; k < 5; k++) {
        struct rung r = {names[k], 3, 64, turns, 511, NULL, NULL, seed};

        r.d_x = small_floats(3 * 4 * (size_t)(r.mask + 1), seed);
        CUDA_CHECK(cudaMalloc((void **)&r.d_sums, 6 * sizeof(float)));
        check_rung(&r, 1);
        CUDA_CHECK(cudaFree(r.d_x));
        CUDA_CHECK(cudaFree(r.d_sums));
    }
    printf("ok: 5 memories, %d turns, every warp read what it should\n", turns);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("turns", 60, 50, 4096),
                         ARG_FLAG("--peaks"),
                         ARG_NUMBER("--sms", 132, 1, 1024),
                         ARG_NUMBER("--mhz", 1980, 1, 100000),
                         ARG_NUMBER("--memory", 3201, 1, 100000),
                         ARG_NUMBER("--bits", 6016, 1, 65536)};
    uint64_t seed = args_parse(argc, argv, "how fast is each memory?", args,
                               ARG_COUNT(args));

    if (args[1].value)
        print_peaks((double)args[2].value, (double)args[3].value,
                    (double)args[4].value, (double)args[5].value);
    else
        check_rungs((int)args[0].value, seed);
    return 0;
}

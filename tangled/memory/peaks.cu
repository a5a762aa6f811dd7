/* peaks: what each memory of a GPU could deliver. */
#include <stdio.h>

#include "memory/peaks.h"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_NUMBER("--sms", 132, 1, 1024),
                         ARG_NUMBER("--mhz", 1980, 1, 100000),
                         ARG_NUMBER("--memory", 3201, 1, 100000),
                         ARG_NUMBER("--bits", 6016, 1, 65536)};
    double sms, mhz;

    args_parse(argc, argv, "how fast could it be?", args, ARG_COUNT(args));
    sms = (double)args[0].value;
    mhz = (double)args[1].value;
    printf("registers  %8.0f GB/s\n", peak_sms(sms, mhz, REGISTER_BYTES) / 1e9);
    printf("shared, L1 %8.0f GB/s\n", peak_sms(sms, mhz, SHARED_BYTES) / 1e9);
    printf("memory     %8.0f GB/s\n",
           peak_dram((double)args[2].value, (double)args[3].value) / 1e9);
    printf("PCIe 5x16  %8.1f GB/s\n", peak_pcie(32, 16) / 1e9);
    return 0;
}

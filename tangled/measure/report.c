/* report: the occupancy section of a profiler's report, computed. */
#include <stdio.h>

#include "measure/occupancy.h"
#include "tour/args.h"
#include "tour/check.h"

/* print the lines of the report */
static void print_report(const struct occupancy_sm *sm, int sms, int64_t grid,
                         struct occupancy_kernel kernel)
{
    struct occupancy o = occupancy_of(sm, &kernel);

    if (grid > 0 && o.blocks > 0)
        printf("Waves Per SM              %8.2f\n",
               occupancy_waves(grid, sms, o.blocks));
    printf("Block Limit SM            %8d\n", o.by_blocks);
    printf("Block Limit Registers     %8d\n", o.by_registers);
    printf("Block Limit Shared Mem    %8d\n", o.by_shared);
    printf("Block Limit Warps         %8d\n", o.by_warps);
    printf("Theoretical Active Warps  %8d\n", o.warps);
    printf("Theoretical Occupancy     %8.2f\n", o.percent);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("threads", 256, 1, 1024),
                         ARG_SIZE("registers", 32, 0, 255),
                         ARG_SIZE("shared", 0, 0, 1 << 20),
                         ARG_SIZE("grid", 0, 0, 1LL << 40),
                         ARG_NUMBER("--cc", 90, 10, 999),
                         ARG_NUMBER("--sms", 132, 1, 1024),
                         ARG_NUMBER("--configured", 0, 0, 1 << 20)};
    struct occupancy_sm sm;

    /* compute and print the report */
    args_parse(argc, argv, "compute a kernel's occupancy", args,
               ARG_COUNT(args));
    if (!occupancy_sm((int)args[4].value / 10, (int)args[4].value % 10, &sm))
        args_refuse("report",
                    "compute capability %d is not in the table: "
                    "75, 80, 86, 87, 89, 90, 100, 103 or 120",
                    (int)args[4].value);
    if (args[6].value)
        sm.shared = (size_t)args[6].value;
    print_report(&sm, (int)args[5].value, args[3].value,
                 (struct occupancy_kernel){(int)args[0].value,
                                           (int)args[1].value,
                                           (size_t)args[2].value});
    return 0;
}

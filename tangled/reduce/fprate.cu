/* fprate: multiply-adds of float, double and int, and what they cost. */
#include <stdio.h>

#include "reduce/rate.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 2, 2, 65535),
                         ARG_SIZE("links", 8, 1, 1 << 20)};
    int blocks, links;
    double f, d, i;

    args_parse(argc, argv, "rates of the types", args, ARG_COUNT(args));
    blocks = (int)args[0].value;
    links = (int)args[1].value;
    f = rate_of<float>(blocks, links);
    d = rate_of<double>(blocks, links);
    i = rate_of<int>(blocks, links);
    printf("ok: float, double and int agree with the CPU\n");
#ifdef __SIMT__
    (void)f, (void)d, (void)i; /* a CPU's times say nothing about an SM */
#else
    printf("an SM begins %.1f, %.1f, %.1f in a cycle\n", f, d, i);
    printf("float to double %.1f, float to int %.1f\n", f / d, f / i);
#endif
    return 0;
}

/* chase: how long does a load take, for each size of what is loaded? */
#include <stdio.h>

#include "memory/chase.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", 16, 12, 31),
                         ARG_SIZE("hops", 1000, 1, 1 << 20),
                         ARG_FLAG("--rates")};
    double each, ns;

    args_parse(argc, argv, "chase pointers through up to 2^log2 bytes", args,
               ARG_COUNT(args));
    for (int e = 12; e <= args[0].value; e++)
        for (int three = 2; three <= 3; three++) { /* 2/2 and 3/2 times 2^e */
            size_t lines = (size_t)three << (e - 1 - 7);

            chase(lines, (int)args[1].value, &each, &ns);
            if (args[2].value)
                printf("%12zu bytes: %7.1f cycles, %7.1f ns\n",
                       lines * sizeof(struct line), each, ns);
        }
    each = chase_in_shared((int)args[1].value);
    printf("ok: every chase came out where it should\n");
    return 0;
}

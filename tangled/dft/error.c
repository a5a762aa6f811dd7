/* error: errors of a transform in float, by the way to its roots. */
#include <stdio.h>
#include <stdlib.h>

#include "dft/error.h"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 64, 1, 8192)};
    uint64_t seed =
        args_parse(argc, argv, "errors of a transform", args, ARG_COUNT(args));
    double error[ROOTS], bound, edge;

    errors((int)args[0].value, seed, error, &bound, &edge);
    for (int how = 0; how < ROOTS; how++)
        printf("%s %.3g\n", roots_names[how], error[how]);
    printf("bound %.3g\n", bound);
    printf("edge %.3g\n", edge);
    CHECK(error[BY_TABLE] <= bound, "by table: %g, bound %g", error[BY_TABLE],
          bound);
    return 0;
}

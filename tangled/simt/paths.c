/* paths: see a warp diverge into paths and come together again. */
#include <stdio.h>

#include "tour/args.h"
#include "tour/check.h"

/* decide where a lane goes next */
/* Lane `lane` has executed instruction pc. Where does it go? */
static int step(int pc, int lane, int paths, int length)
{
    int join = 1 + paths * length;

    if (pc == 0)
        return 1 + lane % paths * length; /* the branch */
    if (pc < join && pc % length == 0)
        return join; /* the last of its path */
    return pc + 1;
}

/* throw one instruction across the warp */
/* Executes the lowest instruction at which a lane stands; returns how many
   lanes took part, or 0 when all have left. */
static int throw_weft(int pc[32], int paths, int length)
{
    int join = 1 + paths * length, lowest = join + 1, active = 0;

    for (int lane = 0; lane < 32; lane++)
        if (pc[lane] < lowest)
            lowest = pc[lane];
    if (lowest > join)
        return 0;
    /* name the instruction */
    if (lowest == 0 || lowest == join)
        printf("%-8s ", lowest ? "join" : "branch");
    else
        printf("path %-3d ", (lowest - 1) / length);
    for (int lane = 0; lane < 32; lane++) {
        int here = pc[lane] == lowest;

        putchar(here ? '#' : '.');
        active += here;
        if (here)
            pc[lane] = step(lowest, lane, paths, length);
    }
    putchar('\n');
    return active;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("paths", 2, 1, 32),
                         ARG_SIZE("length", 3, 1, 100)};
    int pc[32] = {0}, issued = 0, done = 0, active;

    args_parse(argc, argv, "a warp that diverges", args, ARG_COUNT(args));
    while ((active = throw_weft(pc, (int)args[0].value, (int)args[1].value)) >
           0) {
        issued++;
        done += active;
    }
    CHECK(issued == 2 + args[0].value * args[1].value, "issued %d", issued);
    CHECK(done == 32 * (2 + args[1].value), "%d lane slots", done);
    printf("%d instructions issued, %d of %d lane slots used: %.1f%%\n", issued,
           done, 32 * issued, 100.0 * done / (32 * issued));
    return 0;
}

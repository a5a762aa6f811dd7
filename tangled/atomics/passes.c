/* passes: in how many passes does a warp's atomic on 256 bins go, if the bins
   have C columns and lane l uses column l % C? */
#include <stdio.h>
#include <string.h>

#include "tour/args.h"
#include "tour/rng.h"

/* count the passes */
/* The fullest of 32 banks, if lane l adds to bin byte[l]: how many lanes it has
   if `apart`, else how many different words. */
static int passes(int columns, const int *byte, int apart)
{
    int bank[32] = {0}, word[32], most = 0;

    for (int l = 0; l < 32; l++) {
        int seen = 0;

        word[l] = columns * byte[l] + l % columns;
        for (int m = 0; m < l; m++)
            seen |= word[m] == word[l];
        bank[word[l] % 32] += apart || !seen;
        if (bank[word[l] % 32] > most)
            most = bank[word[l] % 32];
    }
    return most;
}

/* average over many warps */
int main(int argc, char **argv)
{
    enum { TRIALS = 100000 };
    uint64_t state = args_parse(argc, argv, "passes of an atomic", NULL, 0);
    int byte[32];

    printf("columns  table    random bytes   all equal\n");
    printf("                 apart  shared  apart  shared\n");
    for (int columns = 1; columns <= 32; columns *= 2) {
        double apart = 0, shared = 0;

        for (int k = 0; k < TRIALS; k++) {
            for (int l = 0; l < 32; l++)
                byte[l] = (int)rng_below(&state, 256);
            apart += passes(columns, byte, 1);
            shared += passes(columns, byte, 0);
        }
        memset(byte, 0, sizeof byte);
        printf("%7d %3d KiB %8.2f %7.2f %6d %7d\n", columns, columns,
               apart / TRIALS, shared / TRIALS, passes(columns, byte, 1),
               passes(columns, byte, 0));
    }
    return 0;
}

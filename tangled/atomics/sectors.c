/* sectors: how many sectors does a warp's request name, and how many passes
   does it take, if its lanes add at random ones of A addresses? */
#include <stdio.h>
#include <string.h>

#include "tour/args.h"
#include "tour/rng.h"

int main(int argc, char **argv)
{
    enum { TRIALS = 20000, MOST = 512 };
    uint64_t state = args_parse(argc, argv, "passes of the L2", NULL, 0);

    printf("addresses  sectors  passes\n");
    for (int a = 1; a <= MOST; a *= 2) {
        int sectors = 0, passes = 0;

        for (int k = 0; k < TRIALS; k++) {
            int lanes[MOST] = {0}, most[MOST / 8] = {0};

            for (int l = 0; l < 32; l++) {
                int at = (int)rng_below(&state, (uint32_t)a);

                if (++lanes[at] > most[at / 8])
                    most[at / 8] = lanes[at];
            }
            for (int s = 0; s < MOST / 8; s++) {
                sectors += most[s] > 0;
                passes += most[s];
            }
        }
        printf("%9d %8.1f %7.1f\n", a, (double)sectors / TRIALS,
               (double)passes / TRIALS);
    }
    return 0;
}

/* wide: passes for a column of a 32 x 32 tile of 8-byte numbers. */
#include <stdio.h>

#include "tour/check.h"

/* Passes for lanes that read numbers at[0..32) of 8 bytes each, all
   different. */
static int passes_of(const int *at)
{
    int passes = 0;

    for (int half = 0; half < 32; half += 16) {
        int crowd[16] = {0}, most = 0;

        for (int l = half; l < half + 16; l++)
            if (++crowd[at[l] % 16] > most)
                most = crowd[at[l] % 16];
        passes += most;
    }
    return passes;
}

/* try three layouts */
int main(void)
{
    static const char *const names[] = {"plain", "padded", "swizzled"};

    for (int layout = 0; layout < 3; layout++) {
        int most = 0;

        for (int c = 0; c < 32; c++) {
            int at[32], passes;

            for (int r = 0; r < 32; r++)
                at[r] = layout == 0   ? r * 32 + c
                        : layout == 1 ? r * 33 + c
                                      : r * 32 + (c ^ r);
            passes = passes_of(at);
            most = passes > most ? passes : most;
        }
        printf("%-8s %2d passes at most\n", names[layout], most);
        CHECK(most == (layout ? 2 : 32), "%s: %d passes", names[layout], most);
    }
    return 0;
}

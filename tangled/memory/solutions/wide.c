/* wide: passes for a column of a 32 x 32 tile of 8-byte numbers. */
#include <stdio.h>

#include "tour/check.h"

/* Passes for one half of a warp, lanes first to first + 15, and column c. */
static int passes_of(int layout, int c, int first)
{
    int crowd[16] = {0}, most = 0;

    for (int r = first; r < first + 16; r++) {
        int at[3] = {r * 32 + c, r * 33 + c, r * 32 + (c ^ r)};

        if (++crowd[at[layout] % 16] > most)
            most = crowd[at[layout] % 16];
    }
    return most;
}

int main(void)
{
    for (int c = 0; c < 32; c++)
        for (int layout = 0; layout < 3; layout++)
            CHECK(passes_of(layout, c, 0) + passes_of(layout, c, 16) ==
                      (layout ? 2 : 32),
                  "layout %d, column %d", layout, c);
    printf("plain: 32 passes; padded and swizzled: 2\n");
    return 0;
}

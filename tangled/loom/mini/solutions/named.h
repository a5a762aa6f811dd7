/* named.h: step 5 with 16 barriers, at each of which some threads meet. */
#include "loom/mini/step5.h"

static __thread uint32_t at_named[16][32];

static void named_barrier(unsigned id, unsigned count)
{
    unsigned came = 0;

    ready[self / 32] &= ~my_bit();
    at_named[id][self / 32] |= my_bit();
    for (unsigned w = 0; w < 32; w++)
        came += __builtin_popcount(at_named[id][w]);
    for (unsigned w = 0; came == count && w < 32; w++) {
        ready[w] |= at_named[id][w];
        at_named[id][w] = 0;
    }
    give_way();
}

/* vote.h: step 4 with three more votes. */
#include "loom/mini/step4.h"

static int __any_sync(uint32_t mask, int yes)
{
    return __ballot_sync(mask, yes) != 0;
}

static int __all_sync(uint32_t mask, int yes)
{
    return __ballot_sync(mask, !yes) == 0;
}

/* The lanes of the mask that brought the same 32 bits. */
static unsigned __match_any_sync(uint32_t mask, uint32_t value)
{
    uint64_t mine = value | (uint64_t)1 << 32;
    const uint64_t *said = meet(VOTE, mask, mine);
    unsigned same = 0;

    for (unsigned l = 0; l < 32; l++)
        if (mask >> l & 1 && said[l] == mine)
            same |= 1u << l;
    return same;
}

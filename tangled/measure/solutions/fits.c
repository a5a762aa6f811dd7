/* fits: how many registers must go before one more block fits? */
#include <stdio.h>

#include "measure/occupancy.h"
#include "tour/check.h"

int main(void)
{
    struct occupancy_sm sm;
    struct occupancy_kernel k = {256, 72, 40 << 10};
    int before;

    CHECK(occupancy_sm(9, 0, &sm), "no SM of 9.0");
    before = occupancy_of(&sm, &k).blocks;
    while (occupancy_of(&sm, &k).blocks == before)
        k.registers--;
    CHECK(before == 3 && occupancy_of(&sm, &k).blocks == 4, "%d blocks",
          before);
    CHECK(occupancy_of(&sm, &k).by_shared == 5, "not 5 by shared memory");
    printf("ok: %d blocks, %d registers for one more\n", before, k.registers);
    return 0;
}

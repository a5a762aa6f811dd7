/* tail: the part of the SMs' time that a grid uses. */
#include <stdio.h>

#include "measure/occupancy.h"
#include "tour/check.h"

static double used(long long grid)
{
    double waves = occupancy_waves(grid, 132, 1);

    return waves / ceil(waves);
}

int main(void)
{
    CHECK(used(132) == 1, "one whole wave");
    CHECK_NEAR(used(133), 133.0 / 264, 1e-12, "two divisions");
    CHECK_NEAR(used(1321), 1321.0 / 1452, 1e-12, "two divisions");
    for (long long grid = 132 * 19; grid < 132 * 100; grid++)
        CHECK(used(grid) >= 0.95, "%lld blocks use %g", grid, used(grid));
    CHECK(used(132 * 18 + 1) < 0.95, "18 waves and one block");
    printf("ok: %.1f %% of the time for 133 blocks\n", 100 * used(133));
    return 0;
}

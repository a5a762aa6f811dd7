/* check_roof: floors and roofs whose values are known on paper. */
#include <stdio.h>

#include "measure/roof.h"

int main(void)
{
    struct roof sheet = {4800, 66900}, rtx, h200;

    CHECK_NEAR(roof_floor(sheet, 12.0 * (1 << 25), 1 << 25), 83.886, 1e-3,
               "402653184 bytes at 4.8 TB/s, given to 5 digits");
    CHECK_NEAR(roof_floor(sheet, 12, 66.9e6), 1, 1e-12, "1 us of arithmetic");
    CHECK_NEAR(roof_ridge(sheet), 13.9375, 1e-12, "66900 / 4800");
    CHECK_NEAR(roof_most(sheet, 0.125), 600, 1e-9, "ReLU under the slope");
    CHECK_NEAR(roof_most(sheet, 13.9375), 66900, 1e-7, "at the ridge");
    CHECK_NEAR(roof_most(sheet, 1e6), 66900, 0, "under the ceiling");
    /* check the roofs of two cards */
    rtx = roof_of_data(6.79e6, 256, 1.48e6, 46, roof_lanes(8, 6));
    CHECK_NEAR(rtx.gbps, 434.56, 1e-9, "6.79 GHz, twice, 32 bytes");
    CHECK_NEAR(rtx.gflops, 17428.48, 1e-8,
               "1.48 GHz, 46 SMs, 128 lanes, twice");
    h200 = roof_of_data(3.201e6, 6016, 1.98e6, 132, roof_lanes(9, 0));
    CHECK_NEAR(h200.gbps, 4814.304, 1e-9, "3.201 GHz, twice, 752 bytes");
    CHECK_NEAR(h200.gflops, 66908.16, 1e-8, "1.98 GHz, 132 SMs, 128 lanes");
    CHECK(roof_lanes(2, 0) == 0, "a card of 2010 is not in the table");
    printf("ok: the floor of an addition of 2^25 elements is %.1f us\n",
           roof_floor(sheet, 12.0 * (1 << 25), 1 << 25));
    return 0;
}

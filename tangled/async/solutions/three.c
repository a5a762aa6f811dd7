/* three: a loader with 2 or 3 slots, played; fills of unequal length. */
#include <stdio.h>

#include "tour/check.h"

enum { BATCHES = 4000, SLOTS_MOST = 3 };

static double most(double x, double y)
{
    return x > y ? x : y;
}

/* play the loader */
static double played(int slots, double every, double fourth)
{
    double copied[SLOTS_MOST] = {0}, used[SLOTS_MOST] = {0};
    double host = 0, wire = 0, kernel = 0;

    for (int b = 0; b < BATCHES; b++) {
        int k = b % slots;

        host = most(host, copied[k]) + (b % 4 == 3 ? fourth : every);
        wire = copied[k] = most(most(host, wire), used[k]) + 1;
        kernel = used[k] = most(kernel, copied[k]) + 2;
    }
    return kernel / BATCHES;
}

int main(void)
{
    double even = played(2, 1.5, 1.5), even3 = played(3, 1.5, 1.5);
    double uneven = played(2, 0.5, 5), uneven3 = played(3, 0.5, 5);

    CHECK_NEAR(even, even3, 1e-3, "the kernel's 2, but for the start");
    CHECK_NEAR(even3, 2, 1e-2, "the kernel's 2, but for the start");
    CHECK(uneven3 < uneven, "uneven fills: %g and %g", uneven, uneven3);
    printf("ok: even %.2f and %.2f, uneven %.2f and %.2f a batch\n", even,
           even3, uneven, uneven3);
    return 0;
}

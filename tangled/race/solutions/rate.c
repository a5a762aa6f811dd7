/* rate: the mean and the least of a schedule. */
#include <math.h>
#include <stdio.h>

#include "race/recipe.h"
#include "tour/check.h"

static void check_schedule(double rise, int steps)
{
    struct recipe r = {64, 1, 0.4, rise, 0};
    double sum = 0, before = 0;
    int falls = 0;

    for (int s = 0; s < steps; s++) {
        double rate = rate_at(&r, s, steps);

        falls = falls || rate < before;
        CHECK(!falls || rate < before, "step %d of %d rises again", s, steps);
        CHECK(rate > 0, "step %d of %d, rise %g: a rate of 0", s, steps, rise);
        before = rate;
        sum += rate;
    }
    CHECK(fabs(sum / steps - 0.2) <= 0.4 / steps, "rise %g: mean %g", rise,
          sum / steps);
}
int main(void)
{
    for (int steps = 1; steps <= 1000; steps = steps * 3 + 1) {
        check_schedule(0, steps);
        check_schedule(0.1, steps);
        check_schedule(0.5, steps);
        check_schedule(0.9, steps);
    }
    printf("ok: the mean is half of the top, and no step is lost\n");
    return 0;
}

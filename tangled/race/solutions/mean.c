/* mean: one slow step among many, in a mean and in medians. */
#include <math.h>
#include <stdio.h>

#include "measure/stats.h"
#include "tour/check.h"

int main(void)
{
    enum { STEPS = 99, TURNS = 9, EACH = STEPS / TURNS };
    double us[STEPS], ours[TURNS] = {0}, best[TURNS], mean = 0;

    for (int i = 0; i < STEPS; i++) {
        us[i] = i == 42 ? 54 + 5000 : 54;
        mean += us[i] / STEPS;
        ours[i / EACH] += us[i] / EACH;
        best[i / EACH] = 187;
    }
    CHECK(fabs(mean - 104.5) < 0.1, "a mean of %g", mean);
    CHECK(stats_of(us, STEPS).median == 54, "the median of the steps");
    CHECK(fabs(stats_ratio(best, ours, TURNS).median - 187.0 / 54) < 1e-6,
          "the median of the turns' ratios");
    printf("mean %.1f us, median %g us; by turns %.2f\n", mean,
           stats_of(us, STEPS).median, stats_ratio(best, ours, TURNS).median);
    return 0;
}

/* mean: what bad samples do to the mean and to the median. */
#include <stdio.h>

#include "measure/stats.h"

enum { N = 31 };

int main(void)
{
    double us[N], mean = 0;

    for (int i = 0; i < N; i++)
        us[i] = 100;
    for (int bad = 1; bad <= 16; bad++) {
        us[bad - 1] = 3200;
        CHECK((stats_of(us, N).median == 100) == (bad <= 15),
              "with %d bad samples the median is %g", bad,
              stats_of(us, N).median);
        if (bad == 1)
            for (int i = 0; i < N; i++)
                mean += us[i] / N;
    }
    CHECK_NEAR(mean, 200, 1e-10, "31 divisions and additions in double");
    printf("ok: mean %g with one bad one; the 16th moves the median\n", mean);
    return 0;
}

/* floor: a pipeline of three engines, played piece by piece. */
#include <stdio.h>

#include "tour/check.h"

/* take the larger */
static double most(double x, double y)
{
    return x > y ? x : y;
}

/* play a pipeline */
/* each engine takes a piece when it is free and the piece has come */
static double played(int pieces, const double ms[3], double more)
{
    double free_at[3] = {0, 0, 0}, came;

    for (int p = 0; p < pieces; p++) {
        came = 0;
        for (int e = 0; e < 3; e++)
            came = free_at[e] = most(free_at[e], came) + ms[e] / pieces + more;
    }
    return free_at[2];
}

int main(void)
{
    const double ms[3] = {1.2, 0.9, 1.2}, more = 0.005;
    double longest = most(ms[0], most(ms[1], ms[2]));
    int best = 1;

    for (int pieces = 1; pieces <= 200; pieces++) {
        double want = (pieces - 1) * (longest / pieces + more) +
                      (ms[0] + ms[1] + ms[2]) / pieces + 3 * more;

        CHECK_NEAR(played(pieces, ms, more), want, 1e-12 * pieces,
                   "a sum of 3 terms for each piece");
        if (played(pieces, ms, more) < played(best, ms, more))
            best = pieces;
    }
    CHECK(best == 20, "the best number of pieces is %d", best);
    printf("ok: %d pieces, %.3f ms instead of %.3f\n", best,
           played(best, ms, more), played(1, ms, more));
    return 0;
}

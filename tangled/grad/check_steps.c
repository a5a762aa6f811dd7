/* check_steps: the best step of differences, derived and measured. */
#include <stdio.h>

#include "grad/steps.h"
#include "tour/args.h"
#include "tour/check.h"

static void look(const char *name, int type, int central)
{
    double least = steps_least(type, central), derived;
    int best = steps_best(type, central, &derived);
    double error = steps_error(type, central, best);

    printf("%-18s h = 2^-%.1f derived, 2^-%d measured; error %.0e, %.0e\n",
           name, derived, best, least, error);
    CHECK(fabs(best - derived) <= 2.5, "the best step");
    CHECK(error < least && error > least / 10, "the error of the best step");
}

int main(int argc, char **argv)
{
    args_parse(argc, argv, "the best step of differences", NULL, 0);
    look("one-sided, float", STEPS_FLOAT, 0);
    look("one-sided, double", STEPS_DOUBLE, 0);
    look("central, float", STEPS_FLOAT, 1);
    look("central, double", STEPS_DOUBLE, 1);
    return 0;
}

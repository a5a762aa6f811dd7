/* kink: what differences say of max(x, 0) near 0. */
#include <stdio.h>

#include "grad/gradcheck.h"
#include "tour/args.h"

static double rectified(void *work)
{
    const double *x = (const double *)work;

    return *x > 0 ? *x : 0;
}

int main(int argc, char **argv)
{
    args_parse(argc, argv, "differences at a kink", NULL, 0);
    printf("x / h  backward  differences  bend\n");
    for (int k = -4; k <= 4; k++) {
        double x = k * GRADCHECK_STEP / 2, g = x > 0;
        struct gradcheck r = gradcheck(rectified, &x, &x, 1, &g);

        printf("%5.1f  %8g  %11g  %4g\n", k / 2.0, g, r.numeric, r.bend);
        CHECK(r.bend > 0.01 || r.error == 0, "an error without a bend");
    }
    return 0;
}

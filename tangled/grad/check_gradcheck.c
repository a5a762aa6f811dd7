/* check_gradcheck: the check for gradients, checked. */
#include <stdio.h>

#include "grad/gradcheck.h"

/* a function with a known gradient */
static double known(void *work)
{
    const double *x = (const double *)work;

    return sin(x[0]) * x[1] + exp(x[0] * x[2]);
}

static void known_gradient(const double *x, double *g)
{
    g[0] = cos(x[0]) * x[1] + x[2] * exp(x[0] * x[2]);
    g[1] = sin(x[0]);
    g[2] = x[0] * exp(x[0] * x[2]);
}

int main(void)
{
    double x[] = {0.5, -1.25, 3}, g[3];
    struct gradcheck r;

    known_gradient(x, g);
    r = gradcheck(known, x, x, 3, g);
    GRADCHECK("known", r, 1e-9);
    CHECK(x[0] == 0.5 && x[1] == -1.25 && x[2] == 3, "x was changed");
    printf("ok: off by %.2g of %.3g, bends by %.2g\n", r.error, r.norm, r.bend);
    g[1] += 1e-4;
    r = gradcheck(known, x, x, 3, g);
    CHECK(r.error > 1e-6 && r.worst == 1, "a wrong entry is not found");
    return 0;
}

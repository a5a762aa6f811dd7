/* complex: slopes of exp(x) sin(x) from an imaginary step. */
#include <complex.h>
#include <stdio.h>

#include "tour/check.h"

int main(void)
{
    double x = 0.75, want = exp(x) * (sin(x) + cos(x)), flat = 0;

    for (int k = 1; k <= 1000; k++) {
        double complex z = x + ldexp(1, -k) * I;
        double slope = ldexp(cimag(cexp(z) * csin(z)), k);
        double error = fabs(slope / want - 1);

        if (k >= 27)
            flat = fmax(flat, error);
        if (k == 1 || k == 9 || k == 18)
            printf("h = 2^-%-2d  error %.0e\n", k, error);
    }
    CHECK(flat <= 1e-15, "from 2^-27 on the error is %g", flat);
    return 0;
}

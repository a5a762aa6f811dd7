/* see_fma.c: one float for which fusing makes a visible difference. */
#include <math.h>
#include <stdio.h>

#include "tour/check.h"

int main(void)
{
    float a = 1.0f + 0x1p-12f;
    volatile float product = a * a, again = a * a; /* rounded to 24 bits */
    float separate = again - product;
    float fused = fmaf(a, a, -product);

    printf("separate %g, fused %g\n", separate, fused);
    CHECK(separate == 0.0f, "rounding the same product twice differs");
    CHECK(fused == 0x1p-24f, "the fused result is not 2^-24");
    return 0;
}

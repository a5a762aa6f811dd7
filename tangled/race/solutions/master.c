/* master: why the weights are kept in fp32. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tour/check.h"

static float to_bf16(float x)
{
    uint32_t u;

    memcpy(&u, &x, sizeof u);
    u += 0x7fff + (u >> 16 & 1); /* to nearest, ties to even */
    u &= 0xffff0000;
    memcpy(&x, &u, sizeof x);
    return x;
}

static float after(float step, int rounded)
{
    float w = 1;

    for (int i = 0; i < 1000; i++) {
        w -= step;
        w = rounded ? to_bf16(w) : w;
    }
    return w;
}

int main(void)
{
    CHECK(to_bf16(1.00390625f) == 1 && to_bf16(1.01171875f) == 1.015625f,
          "ties go to even");
    CHECK(fabsf(after(0.001f, 0)) < 1e-4f, "in float %g", after(0.001f, 0));
    CHECK(after(0.001f, 1) == 1, "in bf16 %g", after(0.001f, 1));
    CHECK(after(0x1p-9f, 1) == 1 && after(0x1.01p-9f, 1) < 1,
          "the smallest step that moves");
    printf("a thousand steps of 0.001: %.4f in float, %g in bf16\n",
           fabsf(after(0.001f, 0)), after(0.001f, 1));
    return 0;
}

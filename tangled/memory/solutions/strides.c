/* strides: a formula for the sectors of a stride, against a count. */
#include <stdio.h>

#include "memory/predict.h"
#include "tour/check.h"

static int formula(int first, int stride)
{
    if (stride >= 8)
        return 32;
    return (4 * first % 32 + 4 * (31 * stride + 1) + 31) / 32;
}

int main(void)
{
    for (int first = 0; first < 64; first++)
        for (int stride = 1; stride <= 64; stride++)
            CHECK(formula(first, stride) ==
                      predict_sectors(4 * first, 4 * stride, 4, 32),
                  "stride %d from element %d", stride, first);
    for (int stride = 1; stride <= 9; stride++)
        printf("stride %d: %2d sectors from 0, %2d from 5\n", stride,
               formula(0, stride), formula(5, stride));
    return 0;
}

/* shades: byte / 255 and byte * (1 / 255). */
#include <stdio.h>

#include "reduce/ulp.h"
#include "tour/check.h"

int main(void)
{
    int differ = 0;

    for (int p = 0; p < 256; p++) {
        float quotient = (float)p / 255.0f;
        float product = (float)p * (1.0f / 255.0f);

        CHECK(ulp_float(quotient, product) <= 1, "shade %d", p);
        differ += quotient != product;
    }
    CHECK(differ == 126, "%d shades differ", differ);
    printf("%d of 256 shades differ, by one unit in the last place\n", differ);
    return 0;
}

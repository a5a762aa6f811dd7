/* shorter: how long the recipes would take that reach 99.0 held out. */
#include <stdio.h>

#include "tour/check.h"

static double ms(int batch, int epochs)
{
    return epochs * (60000 / batch) * (42 + 0.13 * batch) * 1e-3;
}

int main(void)
{
    static const int recipe[5][2] = {
        {64, 2}, {64, 3}, {128, 3}, {256, 6}, {128, 2}};

    for (int i = 0; i < 5; i++)
        printf("%3d pictures, %d epochs: %.0f ms\n", recipe[i][0], recipe[i][1],
               ms(recipe[i][0], recipe[i][1]));
    for (int i = 0; i < 4; i++)
        CHECK(ms(128, 3) <= ms(recipe[i][0], recipe[i][1]), "the shortest");
    CHECK(ms(128, 2) > 50, "two epochs are still too long");
    return 0;
}

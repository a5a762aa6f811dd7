/* edges.c: what compat.h says at the edges of its three comparisons. */
#include <stdio.h>

#include "stack/compat.h"

int main(void)
{
    static const int isa[] = {63, 70, 78, 80, 85, 86, 87, 88, 90, 91};
    static const int pair[][2] = {{10010, 10020}, {10020, 11000},
                                  {11000, 11080}, {11080, 12000},
                                  {12040, 12040}, {13000, 11080}};
    static const int cc[] = {75, 80, 89, 90, 100, 103, 121};

    for (int i = 0; i < 10; i++)
        printf("%d %d;", isa[i], ptx_needs(isa[i]));
    printf("\n");
    for (int i = 0; i < 6; i++)
        printf("%d", (int)runtime_starts(pair[i][0], pair[i][1]));
    printf("\n");
    for (int i = 0; i < 7; i++)
        printf("%d:%d%d%d%d%d ", cc[i], (int)image_fits(0, 80, 0, cc[i]),
               (int)image_fits(1, 80, 0, cc[i]),
               (int)image_fits(0, 90, 'a', cc[i]),
               (int)image_fits(1, 100, 'f', cc[i]),
               (int)image_fits(0, 103, 'f', cc[i]));
    printf("\n");
    return 0;
}

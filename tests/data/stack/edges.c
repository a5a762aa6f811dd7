/* edges.c: what compat.h says at the edges of its three comparisons, and cuda_check.h of
   each error. With an argument: what becomes of a call of the driver that gives it. */
#include <stdio.h>

#include "stack/compat.h"
#include "stack/cuda_check.h"

static CUresult gives(int code)
{
    return code;
}

int main(int argc, char **argv)
{
    static const int pair[][2] = {{10010, 10020}, {10020, 11000},
                                  {11000, 11080}, {11080, 12000},
                                  {12000, 12010}, {12990, 12995},
                                  {12040, 12040}, {13000, 11080}};
    static const int cc[] = {75, 80, 89, 90, 100, 103, 121};

    if (argc > 1) {
        CU_CHECK(gives(atoi(argv[1])));
        return 0;
    }
    for (int i = 63; i <= 92; i++)
        printf("%d%s", ptx_needs(i), i % 10 < 9 && i < 92 ? "," : ";");
    printf("\n");
    for (int i = 0; i < 8; i++)
        printf("%d", (int)runtime_starts(pair[i][0], pair[i][1]));
    printf("\n");
    for (int i = 0; i < 7; i++)
        printf("%d:%d%d%d%d%d ", cc[i], (int)image_fits(0, 80, 0, cc[i]),
               (int)image_fits(1, 80, 0, cc[i]),
               (int)image_fits(0, 90, 'a', cc[i]),
               (int)image_fits(1, 100, 'f', cc[i]),
               (int)image_fits(0, 103, 'f', cc[i]));
    printf("\n");
    for (int i = -1; i <= 2000; i++)
        if (cuda_advice(i))
            printf("%d ", i);
    printf("\n");
    return 0;
}

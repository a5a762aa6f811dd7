/* parts.c: instructions per cycle out of the times of warps, chains on the CPU. parts.h is
   made of simt/latency.cuh by tests/simt.t. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
__attribute__((noreturn)) static void left(int status)
{
    printf("refused, status %d\n", status);
    longjmp(back, 1);
}
#define exit left
#include "measure/stats.h"
#include "parts.h"

static void shown(const struct shift *s, int count, int want)
{
    if (setjmp(back) == 0)
        printf("%g ", ipc_of(s, count, want, 12));
}

int main(void)
{
    /* three warps on SM 1 from 100 to 160, two on SM 3 from 5 to 9, one on SM 0, three on
       the last from 1000 to 1004, three on SM 7 that take no time */
    struct shift s[13] = {{0}};
    static const int at[12][3] = {{1, 110, 150}, {1, 120, 160}, {1, 100, 140}, {3, 5, 7}, {3, 6, 9}, {0, 1, 4},
                                  {SM_MOST - 1, 1001, 1002}, {SM_MOST - 1, 1000, 1001}, {SM_MOST - 1, 1002, 1004},
                                  {7, 9, 9}, {7, 9, 9}, {7, 9, 9}};
    struct shift beyond[1] = {{0}};

    for (int i = 0; i < 12; i++) {
        s[i].sm = (unsigned)at[i][0];
        s[i].start = at[i][1];
        s[i].end = at[i][2];
    }
    s[12].sm = 3, s[12].end = 1 << 20;
    for (int want = 0; want < 5; want++)
        shown(s, 12, want);
    shown(s, 5, 2);
    shown(s, 3, 3);
    shown(s, 0, 1);
    beyond[0].sm = SM_MOST;
    shown(beyond, 1, 1);
    printf("\n%d;", SM_MOST);
    for (int i = 0; i < 9; i++)
        printf(" %g %g %g", chains_reference(0, 1, 0.5f, 1, i), chains_reference(1, 2, 0.5f, 1, i),
               chains_reference(3, 4, 0.25f, 2, i));
    printf("\n");
    return 0;
}

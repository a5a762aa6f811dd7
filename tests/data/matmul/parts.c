/* parts.c: what chapter 13's products refuse, and how far apart elements are. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
__attribute__((noreturn)) static void left(int status)
{
    longjmp(back, status + 1);
}
#define exit left
#include "matmul/args.h"

int main(void)
{
    static const struct { char t; int rows, cols, ld; } x[] = {
        {'N', 2, 3, 3}, {'N', 2, 3, 2}, {'T', 2, 3, 2}, {'T', 2, 3, 1}, {'n', 2, 3, 3},
        {'N', 0, 0, 0}, {'N', -1, 3, 3}, {'T', 3, -1, 3}, {'N', 2, 0, -1}, {'U', 2, 3, 9}};

    for (int i = 0; i < 10; i++) {
        struct steps s = steps_of(x[i].t, x[i].ld);
        int refused = setjmp(back);

        if (!refused)
            matmul_check("X", x[i].t, x[i].rows, x[i].cols, x[i].ld);
        printf("%d %zu %zu;", refused, s.row, s.col);
    }
    return 0;
}

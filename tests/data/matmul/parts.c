/* parts.c: what chapter 13's products refuse, how far apart elements are, and its three loops. */
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
#include "matmul/loops.c"

/* How many numbers of C += A B are wrong. */
static int looped(void (*loops)(int, const float *, const float *, float *), int n)
{
    float a[25], b[25], c[26];
    int wrong = 0;

    for (int i = 0; i < 25; i++)
        a[i] = i % 7 - 2, b[i] = i % 5 + 1, c[i] = i;
    c[25] = 25;
    loops(n, a, b, c);
    for (int i = 0; i < 26; i++) {
        float want = i;

        for (int k = 0; k < n && i < n * n; k++)
            want += a[i / n * n + k] * b[k * n + i % n];
        wrong += c[i] != want;
    }
    return wrong;
}

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
    for (int n = 5, wrong = 0; n >= 0 && !wrong; n--) { /* what is wrong may not end with 0 */
        wrong = looped(loops_ijk, n) + looped(loops_ikj, n) + looped(loops_jki, n);
        printf("%d", wrong);
    }
    return 0;
}

/* halves: a sum that calls itself, and how deep it goes */
#include "tour/check.h"

static int depth, deepest;

static float sum(const float *x, int n)
{
    float s = 0;

    depth++;
    deepest = depth > deepest ? depth : deepest;
    if (n == 1)
        s = x[0];
    else if (n > 1)
        s = sum(x, n / 2) + sum(x + n / 2, n - n / 2);
    depth--;
    return s;
}

int main(void)
{
    enum { N = 1000000 };
    float *x = check_alloc(N, sizeof *x);

    for (int i = 0; i < N; i++)
        x[i] = 1;
    CHECK(sum(x, N) == N, "a sum of ones counts them");
    printf("%d numbers: %d calls deep\n", N, deepest);
    return 0;
}

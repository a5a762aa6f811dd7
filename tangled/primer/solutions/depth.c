/* depth: how much stack a level of recursion takes */
#include "tour/check.h"

static uintptr_t deepest = UINTPTR_MAX;

static float sum_down(const float *x, int n)
{
    volatile char here = 0;

    if ((uintptr_t)&here < deepest)
        deepest = (uintptr_t)&here;
    return n == 0 ? (float)here : x[0] + sum_down(x + 1, n - 1);
}

int main(void)
{
    enum { N = 1000 };
    static float x[N];
    char top;
    double level;

    CHECK(sum_down(x, N) == 0, "a sum of zeros");
    level = (double)((uintptr_t)&top - deepest) / (N + 1);
    CHECK(level >= 8 && level < 1000, "%g bytes a level", level);
    printf("%.0f bytes a level: 8 MiB hold about %.0f thousand of them\n",
           level, 8 * 1024 * 1024 / level / 1000);
    return 0;
}

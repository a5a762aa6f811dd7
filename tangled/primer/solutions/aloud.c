/* aloud: each declaration used as it reads */
#include "tour/check.h"

static int *f(void)
{
    static int seven = 7;

    return &seven;
}

static int six(void)
{
    return 6;
}

static void nothing(const float *x, int n)
{
    CHECK(x[n - 1] == 3, "the last");
}

int main(void)
{
    const char *const names[] = {"one", "two"};
    int (*g)(void) = six; /* no & is needed */
    void (*table[4])(const float *x, int n) = {nothing, nothing};
    float x[2] = {1, 3};
    CHECK(names[1][0] == 't' && *f() == 7 && g() == 6, "as read");
    table[1](x, 2);
    return 0;
}

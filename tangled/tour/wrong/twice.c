/* A macro that uses a parameter twice evaluates it twice. */
/* wrong: run: next\(\) was called 2 times */
#include "tour/check.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static int calls;

static int next(void)
{
    return ++calls;
}

int main(void)
{
    CHECK(LARGER(next(), 0) > 0, "want a positive number");
    CHECK(calls == 1, "next() was called %d times, want once", calls);
    return 0;
}

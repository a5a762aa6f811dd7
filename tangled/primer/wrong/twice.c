/* A macro that uses a parameter twice evaluates it twice. */
/* wrong: run: draw\(\) was called 2 times */
#include "tour/check.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static int calls;

static int draw(void)
{
    return ++calls;
}

int main(void)
{
    CHECK(LARGER(draw(), 0) > 0, "want a positive number");
    CHECK(calls == 1, "draw() was called %d times, want once", calls);
    return 0;
}

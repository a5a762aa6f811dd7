/* larger: a macro that evaluates its arguments once */
#include "tour/check.h"

#define LARGER(a, b)                                          \
    ({                                                        \
        __typeof__((a) + (b)) larger_a = (a), larger_b = (b); \
        larger_a > larger_b ? larger_a : larger_b;            \
    })

static int calls;

static int draw(void)
{
    return ++calls;
}

int main(void)
{
    CHECK(LARGER(draw(), 0) == 1, "the first call returns 1");
    CHECK(calls == 1, "draw() was called %d times, want once", calls);
    CHECK(LARGER(1, 2.5) == 2.5, "an int and a double");
    CHECK(LARGER(1LL << 40, 1) == 1LL << 40, "a long long and an int");
    CHECK(LARGER(LARGER(1, 3), 2) == 3, "one inside the other");
    printf("ok: evaluated once\n");
    return 0;
}

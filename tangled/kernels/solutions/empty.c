/* empty: what does a size need? Both sides of every boundary. */
#include <limits.h>
#include <stdio.h>

#include "kernels/sizes.h"

/* say what a size needs */
enum need { NOTHING, INDEX_32, INDEX_64, TOO_MANY };

/* What one thread an element takes for n elements in blocks of `block`. */
static enum need need_for(size_t n, int block)
{
    if (n == 0)
        return NOTHING;
    if (n <= (size_t)(INT_MAX - block))
        return INDEX_32;
    return ceil_div(n, (size_t)block) <= INT_MAX ? INDEX_64 : TOO_MANY;
}

int main(void)
{
    size_t most = (size_t)INT_MAX * 256;

    CHECK(need_for(0, 256) == NOTHING, "0");
    CHECK(need_for(1, 256) == INDEX_32, "1");
    CHECK(need_for((size_t)INT_MAX - 256, 256) == INDEX_32, "the last int");
    CHECK(need_for((size_t)INT_MAX - 255, 256) == INDEX_64, "one more");
    CHECK(need_for(((size_t)1 << 31) + 1, 256) == INDEX_64, "2^31 + 1");
    CHECK(need_for(most, 256) == INDEX_64, "a full grid");
    CHECK(need_for(most + 1, 256) == TOO_MANY, "one more than a full grid");
    printf("ok: 0, 1, 2^31 + 1 and %zu elements\n", most + 1);
    return 0;
}

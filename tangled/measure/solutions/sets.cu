/* sets: how much memory do the sets of bench_sets take? */
#include <stdio.h>

#include "measure/bench.h"

int main(void)
{
    size_t cache = (size_t)bench_attribute(cudaDevAttrL2CacheSize);

    for (size_t n = 1; n <= (size_t)1 << 25; n = 3 * n / 2 + 1) {
        size_t set = 12 * n, all = set * (size_t)bench_sets(set);

        CHECK(all - set >= 2 * cache && all < 2 * cache + 2 * set,
              "sets of %zu bytes take %zu", set, all);
    }
    printf("ok: two caches and less than two sets\n");
    return 0;
}

/* versus: a sum in seven ways. */
#include <stdio.h>

#include "atomics/versus.cuh"
#include "tour/args.h"
#include "tour/rng.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, 1 << 28),
                         ARG_SIZE("blocks", 5, 1, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "a sum in seven ways", args, ARG_COUNT(args));
    int n = (int)args[0].value, want = 0, got, *d;
    int *h = (int *)check_alloc((size_t)n + 1, sizeof *h);

    for (int i = 0; i < n; i++)
        want += h[i] = (int)(rng_at(seed, (uint64_t)i) >> 58) - 31;
    d = (int *)to_device(h, ((size_t)n + 1) * sizeof *d);
    for (int way = 0; way < WAYS; way++) {
        sum_run((enum way)way, (unsigned)args[1].value, n, d);
        to_host(&got, d + n, sizeof got);
        CHECK(got == want, "%s: %d, not %d", way_names[way], got, want);
    }
    printf("ok: %d numbers, %d ways\n", n, WAYS);
    return 0;
}

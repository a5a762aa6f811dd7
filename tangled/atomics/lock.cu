/* lock: the largest value, its place and the count, under three locks. */
#include <stdio.h>

#include "atomics/lock.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    unsigned seed = (unsigned)args_parse(argc, argv, "a record under a lock",
                                         args, ARG_COUNT(args));
    int n = (int)args[0].value, where = 0, *d;
    int *h = (int *)check_alloc((size_t)n, sizeof *h);
    struct guarded got, *d_got = (struct guarded *)to_device(NULL, sizeof got);

    for (int i = 0; i < n; i++) {
        h[i] = (int)((unsigned)i * 2654435761u + seed);
        where = h[i] > h[where] ? i : where;
    }
    d = (int *)to_device(h, (size_t)n * sizeof *h);
    for (int how = 0; how < RECORDERS; how++) {
        /* record in one way and compare */
        record_run((enum recorder)how, n, d, d_got);
        to_host(&got, d_got, sizeof got);
        CHECK(got.record.count == (unsigned)n, "%s: %u notes, not %d",
              recorder_names[how], got.record.count, n);
        if (how == PACKED)
            got.record = unpack(got.best);
        CHECK(got.record.best == h[where] && got.record.where == where,
              "%s: %d at %d, not %d at %d", recorder_names[how],
              got.record.best, got.record.where, h[where], where);
    }
    printf("ok: %d notes, three locks and none\n", n);
    return 0;
}

/* lock: the largest value, its place and the count, under three locks. */
#include <stdio.h>

#include "atomics/lock.cuh"
#include "tour/args.h"

/* check one of the records */
static void check_record(enum recorder how, int n, const int *h, const int *d,
                         struct guarded *d_r)
{
    struct guarded got;
    int where = 0;

    record_run(how, n, d, d_r);
    CUDA_CHECK(cudaMemcpy(&got, d_r, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got.record.count == (unsigned)n, "%s: %u notes, not %d",
          recorder_names[how], got.record.count, n);
    if (how == PACKED)
        got.record = unpack(got.best);
    for (int i = 1; i < n; i++)
        if (h[i] > h[where])
            where = i;
    CHECK(got.record.best == h[where] && got.record.where == where,
          "%s: %d at %d, not %d at %d", recorder_names[how], got.record.best,
          got.record.where, h[where], where);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 24)};
    unsigned seed = (unsigned)args_parse(
        argc, argv, "a record under a lock", args, ARG_COUNT(args));
    int n = (int)args[0].value, *d;
    int *h = (int *)check_alloc((size_t)n, sizeof *h);
    struct guarded *d_r;

    for (int i = 0; i < n; i++)
        h[i] = (int)((unsigned)i * 2654435761u + seed);
    CUDA_CHECK(cudaMalloc((void **)&d, (size_t)n * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&d_r, sizeof *d_r));
    CUDA_CHECK(cudaMemcpy(d, h, (size_t)n * sizeof *d, cudaMemcpyHostToDevice));
    for (int how = 0; how < RECORDERS; how++)
        check_record((enum recorder)how, n, h, d, d_r);
    printf("ok: %d notes, three locks and none\n", n);
    return 0;
}

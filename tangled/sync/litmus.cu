/* litmus: what the memory model allows, and what is seen. */
#include <stdio.h>

#include "sync/litmus.cuh"
#include "tour/args.h"

/* play games whose outcome is certain */
static void play_certain(unsigned pairs)
{
    static const struct litmus_test sure[2] = {
        {{{STORE_X, NOTHING}, {NOTHING, STORE_Y}}, {{0, 0}, {0, 0}}},
        {{{LOAD_X, LOAD_Y}, {LOAD_Y, NOTHING}}, {{1, 1}, {1, 0}}}};
    unsigned games = pairs * LITMUS_THREADS * LITMUS_EACH, *d;
    size_t bytes = (2 * (size_t)games + pairs) * sizeof *d;
    unsigned char *h = (unsigned char *)check_alloc(games, 2), *d_out;

    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_out, 2 * (size_t)games));
    CUDA_CHECK(cudaMemset(d, 0, bytes));
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaMemset(d + 2 * games, 0, pairs * sizeof *d));
        CUDA_CHECK(cudaMemset(d_out, 0xff, 2 * (size_t)games));
        litmus_games<<<2 * pairs, LITMUS_THREADS>>>(
            sure[k], FENCE_GPU, games, d, d + games, d + 2 * games, d_out);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(
            cudaMemcpy(h, d_out, 2 * (size_t)games, cudaMemcpyDeviceToHost));
        for (unsigned i = 0; i < 2 * games; i++)
            CHECK(h[i] == 2 * sure[k].weak[i % 2][0] + sure[k].weak[i % 2][1],
                  "launch %d, game %u: thread %u got %d", k, i / 2, i % 2,
                  h[i]);
    }
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_out));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("pairs", 2, 1, 64),
                         ARG_SIZE("rounds", 3, 1, 1000000)};
    unsigned pairs = 1;

    args_parse(argc, argv, "litmus tests of memory", args, ARG_COUNT(args));
    while (2 * pairs <= (unsigned)args[0].value)
        pairs *= 2;
    play_certain(pairs);
    for (int t = 0; t < TESTS; t++)
        for (int f = 0; f < FENCES; f++) {
            long weak = litmus_weak((enum litmus)t, (enum fence)f, pairs,
                                    (int)args[1].value);

            printf("%-9s fence %-4s %-9s seen %ld times\n", litmus_names[t],
                   fence_names[f],
                   litmus_allowed[t][f] ? "allowed," : "forbidden", weak);
            CHECK(weak == 0 || litmus_allowed[t][f], "%s with fence %s",
                  litmus_names[t], fence_names[f]);
        }
    printf("ok: nothing that is forbidden was seen\n");
    return 0;
}

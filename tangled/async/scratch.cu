/* scratch: scratch memory from an arena and from the stream's pool. */
#include <stdio.h>

#include "async/arena.cuh"
#include "tour/args.h"

/* fill parts and look at them */
enum { PARTS = 9 };
static const size_t part_bytes[PARTS] = {1,   255,  256, 257, 0,
                                         511, 1000, 129, 4097};

static void fill_parts(char *part[PARTS], cudaStream_t s)
{
    for (int k = 0; k < PARTS; k++)
        if (part_bytes[k])
            CUDA_CHECK(cudaMemsetAsync(part[k], k + 1, part_bytes[k], s));
}

static void look_at_parts(char *part[PARTS])
{
    char got[5000];

    for (int k = 0; k < PARTS; k++) {
        CUDA_CHECK(
            cudaMemcpy(got, part[k], part_bytes[k], cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < part_bytes[k]; i++)
            CHECK(got[i] == k + 1, "byte %zu of part %d is %d", i, k, got[i]);
    }
}

/* take parts of an arena */
static void from_arena(void)
{
    struct arena a = arena_open(16384);
    char *part[PARTS], *first[PARTS];
    size_t mark = 0;

    for (int round = 0; round < 3; round++) {
        mark = arena_mark(&a);
        CHECK(mark == 0, "round %d begins at %zu", round, mark);
        for (int k = 0; k < PARTS; k++) {
            part[k] = (char *)arena_take(&a, part_bytes[k]);
            CHECK((size_t)(part[k] - a.base) % ARENA_ALIGN == 0,
                  "part %d is at %zu", k, (size_t)(part[k] - a.base));
            if (round == 0)
                first[k] = part[k];
            CHECK(part[k] == first[k], "part %d has moved", k);
        }
        fill_parts(part, 0);
        look_at_parts(part);
        arena_back(&a, mark);
    }
    CHECK(a.used == 0 && a.most == 7424, "most was %zu bytes", a.most);
    arena_close(&a);
}

/* take parts of a pool */
static void from_pool(void)
{
    char *part[PARTS];
    cudaStream_t s;

    CUDA_CHECK(cudaStreamCreate(&s));
    for (int k = 0; k < PARTS; k++)
        CUDA_CHECK(cudaMallocAsync((void **)&part[k], part_bytes[k] + 1, s));
    fill_parts(part, s);
    CUDA_CHECK(cudaStreamSynchronize(s));
    look_at_parts(part);
    for (int k = 0; k < PARTS; k++)
        CUDA_CHECK(cudaFreeAsync(part[k], s));
    CUDA_CHECK(cudaStreamSynchronize(s));
    CUDA_CHECK(cudaStreamDestroy(s));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rounds", 5, 1, 10000)};

    args_parse(argc, argv, "scratch memory in a loop", args, ARG_COUNT(args));
    for (int r = 0; r < (int)args[0].value; r++) {
        from_arena();
        from_pool();
    }
    printf("ok: %d rounds of scratch memory from an arena and from a pool\n",
           (int)args[0].value);
    return 0;
}

/* flight: does every kind load each word once, and by the right thread? */
#include "measure/flight.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* fly over random words */
static void fly(const struct flight_kind *kind, int blocks, int block,
                int turns, uint64_t seed)
{
    size_t threads = (size_t)blocks * block;
    size_t words = threads * turns * kind->bytes / 4;
    unsigned *h = (unsigned *)check_alloc(words, sizeof *h), *d;

    for (size_t i = 0; i < words; i++)
        h[i] = (unsigned)rng_u64(&seed);
    CUDA_CHECK(cudaMalloc((void **)&d, 4 * (words + threads)));
    CUDA_CHECK(cudaMemcpy(d, h, 4 * words, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d + words, 0xff, 4 * threads));
    kind->launch(blocks, block, turns, d, d + words);
    check_flight(kind, threads, turns, d, d + words, 0, 1);
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 3, 1, 1 << 20),
                         ARG_SIZE("block", 64, 1, 1024),
                         ARG_SIZE("turns", 5, 0, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "load words in flight", args, ARG_COUNT(args));

    for (int k = 0; k < FLIGHT_KINDS; k++)
        fly(&flight_kinds[k], (int)args[0].value, (int)args[1].value,
            (int)args[2].value, seed + k);
    printf("ok: %d kinds of flight, %lld threads, %lld turns\n", FLIGHT_KINDS,
           (long long)(args[0].value * args[1].value),
           (long long)args[2].value);
    return 0;
}

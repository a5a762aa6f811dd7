/* batches: load batches through two slots, and add each of them up. */
#include <stdio.h>

#include "async/batches.cuh"
#include "tour/args.h"

/* load and add up */
static void load_and_add(size_t words, int batches)
{
    size_t bytes = (size_t)batches * sizeof(unsigned);
    unsigned *got = (unsigned *)check_alloc((size_t)batches, sizeof *got);
    unsigned *d_sums;
    struct loader l;
    cudaStream_t s;

    CUDA_CHECK(cudaMalloc((void **)&d_sums, bytes));
    CUDA_CHECK(cudaMemset(d_sums, 0, bytes));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    loader_open(&l, words * sizeof(unsigned), batch_fill, &words);
    /* work on all batches */
    loader_send(&l, 0);
    for (int b = 0; b < batches; b++) {
        const unsigned *d_batch = (const unsigned *)loader_take(&l, s);

        add_up<<<1, 256, 0, s>>>(words, d_batch, d_sums + b);
        CUDA_LAUNCH_CHECK();
        loader_give(&l, s);
        if (b + 1 < batches)
            loader_send(&l, b + 1);
    }
    CUDA_CHECK(cudaStreamSynchronize(s));
    CUDA_CHECK(cudaMemcpy(got, d_sums, bytes, cudaMemcpyDeviceToHost));
    for (int b = 0; b < batches; b++) {
        unsigned want = 0;

        for (size_t i = 0; i < words; i++)
            want += batch_word((unsigned)b, (unsigned)i);
        CHECK(got[b] == want, "batch %d: the sum is %u, not %u", b, got[b],
              want);
    }
    loader_close(&l);
    CUDA_CHECK(cudaStreamDestroy(s));
    CUDA_CHECK(cudaFree(d_sums));
    free(got);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("words", 1000, 1, 1 << 26),
                         ARG_SIZE("batches", 7, 1, 100000)};

    args_parse(argc, argv, "load batches through two slots", args,
               ARG_COUNT(args));
    load_and_add((size_t)args[0].value, (int)args[1].value);
    printf("ok: %d batches of %zu words, the sums are right\n",
           (int)args[1].value, (size_t)args[0].value);
    return 0;
}

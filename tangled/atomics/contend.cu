/* contend: additions to 1, 2, 4, ... addresses, each counted. */
#include <stdio.h>

#include "atomics/contend.cuh"
#include "tour/args.h"

/* contend in every way */
static void contend_all(unsigned blocks, unsigned each, unsigned bits)
{
    enum { THREADS = 128 };
    size_t bytes = sizeof(unsigned) << bits;
    unsigned *h = (unsigned *)check_alloc(1, bytes), *d;

    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    for (int w = ROW; w <= RANDOM; w++)
        for (int how = 0; how < HOWS; how++) {
            CUDA_CHECK(cudaMemset(d, 0, bytes));
            contend<<<blocks, THREADS>>>((enum how)how, (enum where)w, bits,
                                         each, d);
            CUDA_LAUNCH_CHECK();
            CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
            check_addresses((enum where)w, bits, blocks * THREADS, each, h,
                            how == RED_FLOAT);
        }
    CUDA_CHECK(cudaFree(d));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 3, 1, 65535),
                         ARG_SIZE("each", 5, 0, 1 << 20),
                         ARG_SIZE("bits", 6, 0, 24)};

    args_parse(argc, argv, "additions to few addresses", args, ARG_COUNT(args));
    for (unsigned bits = 0; bits <= args[2].value; bits++)
        contend_all((unsigned)args[0].value, (unsigned)args[1].value, bits);
    printf("ok: additions to 1 to 2^%d addresses, each arrived\n",
           (int)args[2].value);
    return 0;
}

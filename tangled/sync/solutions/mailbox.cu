/* mailbox: numbers from one block to another through one word. */
#include <stdio.h>

#include "kernels/launch.h"
#include "sync/order.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* send through a mailbox */
static __device__ void wait_for(unsigned *flag, unsigned value)
{
    while (load_relaxed(flag) != value)
        __nanosleep(20);
    __threadfence(); /* with the relaxed load before it: an acquire */
}

static __device__ void set(unsigned *flag, unsigned value)
{
    __threadfence(); /* with the relaxed store after it: a release */
    store_relaxed(flag, value);
}

__global__ void mail(unsigned n, unsigned *box, unsigned *flag,
                     const unsigned *from, unsigned *to)
{
    for (unsigned k = 0; k < n; k++)
        if (blockIdx.x == 0) {
            wait_for(flag, 2 * k);
            *box = from[k];
            set(flag, 2 * k + 1);
        } else {
            wait_for(flag, 2 * k + 1);
            to[k] = *box;
            set(flag, 2 * k + 2);
        }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100, 0, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "a mailbox", args, ARG_COUNT(args));
    unsigned n = (unsigned)args[0].value, *d_box, *d_flag, *d_from, *d_to;
    unsigned *h = (unsigned *)check_alloc(2 * (size_t)n + 2, sizeof *h);
    size_t bytes = (2 * (size_t)n + 2) * sizeof *h;
    void *list[] = {&n, &d_box, &d_flag, &d_from, &d_to};

    for (unsigned k = 0; k < n; k++)
        h[2 + k] = (unsigned)rng_at(seed, k);
    /* post the numbers and compare */
    CUDA_CHECK(cudaMalloc((void **)&d_box, bytes));
    CUDA_CHECK(cudaMemcpy(d_box, h, bytes, cudaMemcpyHostToDevice));
    d_flag = d_box + 1;
    d_from = d_box + 2;
    d_to = d_from + n;
    CUDA_CHECK(cudaLaunchCooperativeKernel(mail, 2, 1, list, 0, 0));
    CUDA_CHECK(cudaMemcpy(h, d_box, bytes, cudaMemcpyDeviceToHost));
    for (unsigned k = 0; k < n; k++)
        CHECK(h[2 + n + k] == h[2 + k], "number %u is %u, not %u", k,
              h[2 + n + k], h[2 + k]);
    CUDA_CHECK(cudaFree(d_box));
    free(h);
    printf("ok: %u numbers through one word\n", n);
    return 0;
}

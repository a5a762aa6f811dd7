/* errors: when the error of a refused launch can be seen, and for how long. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* see a refused launch leave no trace but one */
__global__ void store(unsigned *p, unsigned value)
{
    *p = value;
}

static void refused(unsigned *d_p)
{
    unsigned h = 0;

    CUDA_CHECK(cudaMemset(d_p, 0xff, sizeof *d_p));
    store<<<1, 1025>>>(d_p, 7);
    CHECK(cudaGetLastError() != cudaSuccess,
          "a block of 1025 threads was not refused");
    CHECK(cudaGetLastError() == cudaSuccess, "the error outlived its reading");
    CUDA_CHECK(cudaMemcpy(&h, d_p, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == 0xffffffffu, "the refused kernel wrote %u", h);
}

/* see an unread error blamed on the next launch */
static void blamed(unsigned *d_p)
{
    store<<<1, 1025>>>(d_p, 7); /* refused, and nobody asks */
    store<<<1, 1>>>(d_p, 8);    /* fine */
    CHECK(cudaGetLastError() != cudaSuccess,
          "the first launch's error was lost");
    CUDA_CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    unsigned *d_p;

    args_parse(argc, argv, "when launch errors surface", NULL, 0);
    CUDA_CHECK(cudaMalloc((void **)&d_p, sizeof *d_p));
    refused(d_p);
    blamed(d_p);
    CUDA_CHECK(cudaFree(d_p));
    printf("ok: refused launches are seen once, by whoever asks first\n");
    return 0;
}

/* race: what cudaDeviceSynchronize does for a race, and for kernels in turn. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* scatter an array */
/* to[(odd * i) mod n] = from[i] + 1; n is a power of two. */
__global__ void scatter(unsigned n, unsigned odd, const unsigned *from,
                        unsigned *to)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[(odd * i) & (n - 1)] = from[i] + 1;
}

/* scatter often and count what is wrong */
static unsigned scatter_often(unsigned n, unsigned launches, int racy)
{
    unsigned *h = (unsigned *)check_alloc(n, sizeof *h), *d[2];
    unsigned odd = 2654435761u, power = 1, wrong = 0;
    size_t bytes = n * sizeof *h;

    for (unsigned i = 0; i < n; i++)
        h[i] = 7 * i;
    CUDA_CHECK(cudaMalloc((void **)&d[0], 2 * bytes));
    d[1] = d[0] + n;
    CUDA_CHECK(cudaMemcpy(d[0], h, bytes, cudaMemcpyHostToDevice));
    for (unsigned k = 0; k < launches; k++) {
        /* scatter once more */
        if (racy) {
            scatter<<<(n + 255) / 256, 256>>>(n, odd, d[0], d[0]);
            CUDA_CHECK(cudaDeviceSynchronize()); /* too late */
        } else {
            scatter<<<(n + 255) / 256, 256>>>(n, odd, d[k % 2], d[(k + 1) % 2]);
        }
        power *= odd;
    }
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d[racy ? 0 : launches % 2], bytes,
                          cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; i++)
        wrong += h[(power * i) & (n - 1)] != 7 * i + launches;
    CUDA_CHECK(cudaFree(d[0]));
    free(h);
    return wrong;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", 12, 1, 26),
                         ARG_SIZE("launches", 100, 1, 100000),
                         ARG_FLAG("--racy")};
    unsigned n, launches, wrong;

    args_parse(argc, argv, "is a wait a barrier?", args, ARG_COUNT(args));
    n = 1u << args[0].value;
    launches = (unsigned)args[1].value;
    if (args[2].value)
        printf("racy: %u of %u elements wrong, with cudaDeviceSynchronize\n",
               scatter_often(n, launches, 1), n);
    wrong = scatter_often(n, launches, 0);
    CHECK(wrong == 0, "dependent: %u of %u elements are wrong", wrong, n);
    printf("ok: %u launches without a wait, %u elements right\n", launches, n);
    return 0;
}

/* race: what cudaDeviceSynchronize does for a race, and for kernels in turn. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* race within a kernel, whatever the host does */
/* a[i + 1] = a[i] for i < n - 1, in place. Wrong: nobody waits. */
__global__ void shift_right_racy(int n, unsigned *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n - 1)
        a[i + 1] = a[i];
}

/* depend on the kernel before */
/* to[(odd * i) mod n] = from[i] + 1; n is a power of two, to is not from. */
__global__ void scatter(unsigned n, unsigned odd, const unsigned *from,
                        unsigned *to)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[(odd * i) & (n - 1)] = from[i] + 1;
}

/* run two dependent kernels without waiting */
static void dependent(unsigned n, unsigned launches)
{
    unsigned *h = (unsigned *)check_alloc(n, sizeof *h), *d_a, *d_b, *d_t;
    unsigned odd = 2654435761u, power = 1;
    size_t bytes = n * sizeof *h;

    for (unsigned i = 0; i < n; i++)
        h[i] = 7 * i;
    CUDA_CHECK(cudaMalloc((void **)&d_a, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_b, bytes));
    CUDA_CHECK(cudaMemcpy(d_a, h, bytes, cudaMemcpyHostToDevice));
    for (unsigned k = 0; k < launches; k++) {
        scatter<<<(n + 255) / 256, 256>>>(n, odd, d_a, d_b);
        power *= odd;
        d_t = d_a;
        d_a = d_b;
        d_b = d_t;
    }
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d_a, bytes, cudaMemcpyDeviceToHost));
    /* compare with where each element should be */
    for (unsigned i = 0; i < n; i++) {
        unsigned place = (power * i) & (n - 1);

        CHECK(h[place] == 7 * i + launches, "place %u holds %u, not %u", place,
              h[place], 7 * i + launches);
    }
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_b));
    free(h);
    printf("dependent: %u launches without a wait, %u elements right\n",
           launches, n);
}

/* wait after a racy kernel */
static void racy(int n)
{
    unsigned *h = (unsigned *)check_alloc((size_t)n, sizeof *h), *d_a;
    size_t bytes = (size_t)n * sizeof *h;
    int wrong = 0;

    for (int i = 0; i < n; i++)
        h[i] = (unsigned)i;
    CUDA_CHECK(cudaMalloc((void **)&d_a, bytes));
    CUDA_CHECK(cudaMemcpy(d_a, h, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaDeviceSynchronize());
    shift_right_racy<<<(n + 255) / 256, 256>>>(n, d_a);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize()); /* too late, and no help before */
    CUDA_CHECK(cudaMemcpy(h, d_a, bytes, cudaMemcpyDeviceToHost));
    for (int i = 1; i < n; i++)
        wrong += h[i] != (unsigned)i - 1;
    CUDA_CHECK(cudaFree(d_a));
    free(h);
    printf("racy: %d of %d elements wrong, with cudaDeviceSynchronize\n", wrong,
           n);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("log2", 12, 1, 26),
                         ARG_SIZE("launches", 100, 1, 100000),
                         ARG_FLAG("--racy")};

    args_parse(argc, argv, "is a wait a barrier?", args, ARG_COUNT(args));
    if (args[2].value)
        racy(1 << args[0].value);
    dependent(1u << args[0].value, (unsigned)args[1].value);
    printf("ok: the order of a stream needs no wait\n");
    return 0;
}

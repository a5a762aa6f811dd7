/* count: n threads add 1 to one counter. */
#include <stdio.h>

#include "atomics/device.h"
#include "tour/args.h"

/* count in three ways */
/* Each of n threads adds 1 to *count. Only the second is right. */
__global__ void count_plain(int n, unsigned *count)
{
    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) < n)
        *count = *count + 1;
}

__global__ void count_atomic(int n, unsigned *count)
{
    if ((int)(blockIdx.x * blockDim.x + threadIdx.x) < n)
        atomicAdd(count, 1);
}
__global__ void count_mixed(int n, unsigned *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && i % 2)
        atomicAdd(count, 1);
    else if (i < n)
        *count = *count + 1;
}

/* launch one of the three */
static unsigned count_with(void (*kernel)(int, unsigned *), unsigned n)
{
    unsigned *d = (unsigned *)to_device(NULL, sizeof *d), h;

    kernel<<<blocks_for(n, 256), 256>>>((int)n, d);
    to_host(&h, d, sizeof h);
    CUDA_CHECK(cudaFree(d));
    return h;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 1, 1 << 28), ARG_FLAG("--plain")};
    unsigned n, count;

    args_parse(argc, argv, "add 1 to a counter", args, ARG_COUNT(args));
    n = (unsigned)args[0].value;
    if (args[1].value) {
        printf("plain:  %u of %u arrive\n", count_with(count_plain, n), n);
        printf("mixed:  %u of %u arrive\n", count_with(count_mixed, n), n);
    }
    count = count_with(count_atomic, n);
    CHECK(count == n, "atomic: %u of %u arrive", count, n);
    printf("ok: atomic: %u of %u arrive\n", count, n);
    return 0;
}

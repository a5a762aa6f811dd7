/* probe_order: in which order do the blocks of two launches run? */
#include <stdio.h>
#include <stdlib.h>

#include "tour/check.h"

__device__ unsigned places;

__global__ void line_up(unsigned *place)
{
    place[atomicAdd(&places, 1)] = blockIdx.x;
}

/* wait for the block before */
__device__ unsigned passed; /* blocks so far */

__global__ void pass_on(void)
{
    while (atomicAdd(&passed, 0) != blockIdx.x)
        ;
    atomicAdd(&passed, 1);
}

static void look_back(unsigned n)
{
    unsigned got;

    n = n < 600 ? n : 600;
    pass_on<<<n, 1>>>();
    CHECK(cudaMemcpyFromSymbol(&got, passed, sizeof got) == cudaSuccess &&
              got == n,
          "only %u of %u blocks passed", got, n);
}

/* line up and print */
static void print_order(unsigned n)
{
    unsigned *place, zero = 0;
    char *seen = (char *)calloc(n, 1);

    CHECK(seen && cudaMallocManaged(&place, n * sizeof *place) == cudaSuccess,
          "no memory");
    CHECK(cudaMemcpyToSymbol(places, &zero, sizeof zero) == cudaSuccess,
          "cannot begin a list");
    line_up<<<n, 1>>>(place);
    CHECK(cudaDeviceSynchronize() == cudaSuccess, "the kernel failed");
    for (unsigned i = 0; i < n; i++) {
        CHECK(place[i] < n && !seen[place[i]]++, "block %u ran twice",
              place[i]);
        if (i < 12)
            printf("%s%u", i ? " " : "", place[i]);
    }
    printf("\n");
    cudaFree(place);
    free(seen);
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 12;
    int units;

    CHECK(n > 0 && n <= 100000, "say a number of blocks up to 100000");
    /* say how many may run at once */
    CHECK(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0) ==
              cudaSuccess,
          "no device");
    printf("%u blocks on %d multiprocessor%s\n", n, units,
           units > 1 ? "s" : "");
    print_order(n);
    print_order(n);
    look_back(n);
    return 0;
}

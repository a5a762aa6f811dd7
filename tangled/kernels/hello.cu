/* hello: a greeting from every thread of a grid. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* say hello from every thread */
__global__ void hello(void)
{
    printf("hello from thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 2, 0, UINT32_MAX),
                         ARG_SIZE("threads", 3, 0, UINT32_MAX)};

    args_parse(argc, argv, "a greeting from every thread", args,
               ARG_COUNT(args));
    /* launch and look */
    hello<<<(unsigned)args[0].value, (unsigned)args[1].value>>>();
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    return 0;
}

/* quiet: a greeting from every thread; nobody asks whether it worked */
#include <stdio.h>
#include <stdlib.h>

/* say hello from every thread */
__global__ void hello(void)
{
    printf("hello from thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

int main(int argc, char **argv)
{
    if (argc == 3)
        hello<<<atoi(argv[1]), atoi(argv[2])>>>();
    else
        puts("usage: quiet BLOCKS THREADS");
    cudaDeviceSynchronize();
    return 0;
}

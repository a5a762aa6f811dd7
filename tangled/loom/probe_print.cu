/* probe_print: six threads print. With an argument, the program ends without
   waiting for them. */
#include <stdio.h>

__global__ void greet(void)
{
    printf("block %u, thread %u\n", blockIdx.x, threadIdx.x);
}

int main(int argc, char **argv)
{
    (void)argv;
    greet<<<3, 2>>>();
    if (argc > 1)
        return 0;
    return cudaDeviceSynchronize() != cudaSuccess;
}

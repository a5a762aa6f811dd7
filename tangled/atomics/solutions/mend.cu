/* mend: two broken locks, mended. */
#include <stdio.h>

#include "atomics/lock.cuh"
#include "tour/args.h"

/* mend two locks */
__global__ void add_by_warp(unsigned *lock, int *total)
{
    if (threadIdx.x % 32 == 0)
        while (!lock_try(lock))
            __nanosleep(50);
    __syncwarp();
    for (int turn = 0; turn < 32; turn++) {
        if ((int)threadIdx.x % 32 == turn)
            *total += 1;
        __syncwarp();
    }
    if (threadIdx.x % 32 == 0)
        lock_leave(lock);
}

__global__ void add_up_to(int most, unsigned *lock, int *total)
{
    if (threadIdx.x == 0) {
        while (!lock_try(lock))
            __nanosleep(50);
        if (*total < most)
            *total += 1;
        lock_leave(lock);
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 8, 1, 10000)};
    int blocks, got[4], *d = (int *)to_device(NULL, sizeof got);

    args_parse(argc, argv, "two locks, mended", args, ARG_COUNT(args));
    blocks = (int)args[0].value;
    add_by_warp<<<blocks, 64>>>((unsigned *)d, d + 1);
    add_up_to<<<blocks, 64>>>(3, (unsigned *)d + 2, d + 3);
    to_host(got, d, sizeof got);
    CHECK(got[1] == 64 * blocks, "four: %d, not %d", got[1], 64 * blocks);
    CHECK(got[3] == (blocks < 3 ? blocks : 3), "five: %d", got[3]);
    printf("ok: %d blocks, both locks\n", blocks);
    return 0;
}

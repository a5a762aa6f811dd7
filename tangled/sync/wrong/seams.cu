/* wrong: check: race on global memory: thread .* of block .1,0,0. writes what .* of block .0,0,0. has read */
#include "kernels/launch.h"
#include "sync/shift.cuh"

int main(void)
{
    CHECK(try_shift(SEAMS, 256, 128, 1) >= 0, "counted");
    return 0;
}

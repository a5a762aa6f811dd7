/* wrong: check: race on global memory: .*in shift_racy */
#include "kernels/launch.h"
#include "sync/shift.cuh"

int main(void)
{
    CHECK(try_shift(RACY, 300, 128, 1) >= 0, "counted");
    return 0;
}

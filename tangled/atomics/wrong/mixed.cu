/* wrong: check: race on global memory */
/* wrong: gpu: [0-9]+ of 65536 arrive */
#include "atomics/count.cuh"

int main(void)
{
    unsigned count = count_with(count_mixed, 65536);

    CHECK(count == 65536, "mixed: %u of 65536 arrive", count);
    return 0;
}

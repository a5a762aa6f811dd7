/* fit: how many white pictures fit into the sums of a thread, and of a warp. */
#include <stdint.h>
#include <stdio.h>

#include "tour/check.h"

int main(void)
{
    uint64_t product = 255 * 255, room = UINT32_MAX;
    uint64_t thread = room / (4 * product), warp = room / (32 * 4 * product);
    int blocks = 2 * 132, most = (4096 + blocks - 1) / blocks;

    CHECK(thread * 4 * product <= room && (thread + 1) * 4 * product > room,
          "%d pictures a thread", (int)thread);
    CHECK((int)warp > 500 && most < (int)warp, "%d a warp, %d a block",
          (int)warp, most);
    printf("%d pictures fit a thread, %d a warp; a block has %d\n", (int)thread,
           (int)warp, most);
    return 0;
}

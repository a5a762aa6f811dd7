/* avalanche: how many of 128 bits change when one bit of the counter does. */
#include <stdio.h>

#include "random/philox.h"

/* count the bits that differ after each round */
static void follow(uint32_t i, int bit, double *changed)
{
    struct philox a = {{i, 0, 0, 0}}, b = a;
    uint32_t k0 = 1, k1 = 0;

    b.w[bit / 32] ^= 1u << bit % 32;
    for (int round = 0; round <= 10; round++) {
        for (int k = 0; k < 128; k++)
            changed[round] += (a.w[k / 32] ^ b.w[k / 32]) >> k % 32 & 1;
        a = philox_round(a, k0, k1);
        b = philox_round(b, k0, k1);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
}

int main(void)
{
    enum { COUNTERS = 1000 };
    double changed[11] = {0};

    for (uint32_t i = 0; i < COUNTERS; i++)
        for (int bit = 0; bit < 128; bit++)
            follow(i, bit, changed);
    for (int round = 0; round <= 10; round++)
        printf("round %2d: %6.2f bits differ\n", round,
               changed[round] / (128.0 * COUNTERS));
    return 0;
}

/* rank: the rank of a matrix made of lowest bits. */
#include <stdio.h>

#include "random/philox.h"
#include "tour/args.h"
#include "tour/check.h"

static int rank(uint64_t row[64])
{
    int found = 0;

    for (int column = 0; column < 64; column++)
        for (int i = found; i < 64; i++)
            if (row[i] >> column & 1) {
                uint64_t pivot = row[i];

                row[i] = row[found];
                row[found++] = pivot;
                for (int k = found; k < 64; k++)
                    row[k] ^= row[k] >> column & 1 ? pivot : 0;
                break;
            }
    return found;
}

/* compare the ranks of two generators */
int main(int argc, char **argv)
{
    uint64_t seed = args_parse(argc, argv, "ranks of lowest bits", NULL, 0);
    uint64_t a[64] = {0}, b[64] = {0};
    uint32_t x = (uint32_t)seed + 1;
    int xorshift, philox;

    for (int i = 0; i < 64 * 64; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        a[i / 64] |= (uint64_t)(x & 1) << i % 64;
        b[i / 64] |= (uint64_t)(philox_word(seed, 0, (uint64_t)i) & 1)
                     << i % 64;
    }
    xorshift = rank(a);
    philox = rank(b);
    printf("rank of 64 x 64 bits: xorshift %d, philox %d\n", xorshift, philox);
    CHECK(xorshift <= 32 && philox >= 58, "that was not expected");
    return 0;
}

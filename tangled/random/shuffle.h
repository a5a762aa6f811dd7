/* shuffle.h: random permutations, one element at a time. C11, C++17, CUDA. */
#ifndef RANDOM_SHUFFLE_H
#define RANDOM_SHUFFLE_H

#include "random/philox.h"
#include "tour/check.h"

/* choose a square */
/* The smallest even number whose square is at least n; n up to 2^31. */
RANDOM_FN uint32_t shuffle_side(uint32_t n)
{
    uint32_t low = 1, high = 32768; /* of half the side */

    while (low < high) {
        uint32_t half = (low + high) / 2;

        if ((uint64_t)half * half * 4 < n)
            low = half + 1;
        else
            high = half;
    }
    return 2 * low;
}

/* permute the cells of a square */
enum { SHUFFLE_ROUNDS = 16 };

/* F of a round, for column r: from 0 to side - 1. */
RANDOM_FN uint32_t shuffle_step(uint32_t side, uint64_t seed, uint64_t epoch,
                                uint32_t round, uint32_t r)
{
    struct philox p =
        philox_at(seed, epoch | UINT64_C(1) << 63, (uint64_t)round << 32 | r);

    return (uint32_t)((uint64_t)p.w[0] * side >> 32);
}

/* Where a cell goes. table: all steps, [round][r], or NULL. */
RANDOM_FN uint64_t shuffle_cell(uint64_t cell, uint32_t side, uint64_t seed,
                                uint64_t epoch, const uint32_t *table)
{
    uint32_t l = (uint32_t)(cell / side), r = (uint32_t)(cell % side);

    for (uint32_t round = 0; round < SHUFFLE_ROUNDS; round++) {
        uint32_t sum = l + (table ? table[round * side + r]
                                  : shuffle_step(side, seed, epoch, round, r));

        l = r;
        r = sum < side ? sum : sum - side;
    }
    return (uint64_t)l * side + r;
}

/* walk until the cell is a number */
/* Where i goes in the shuffle of 0 ... n - 1; i < n. */
RANDOM_FN uint32_t shuffle_at(uint32_t i, uint32_t n, uint64_t seed,
                              uint64_t epoch)
{
    uint32_t side = shuffle_side(n);
    uint64_t cell = i;

    do
        cell = shuffle_cell(cell, side, seed, epoch, NULL);
    while (cell >= n);
    return (uint32_t)cell;
}

/* shuffle all numbers */
/* order[0..n) becomes a permutation of 0 ... n - 1: order[i] is the sample
   that comes as the i-th of this epoch. */
static inline void shuffle_order(int n, uint64_t seed, uint64_t epoch,
                                 int *order)
{
    uint32_t side = shuffle_side((uint32_t)n);
    uint32_t *table =
        (uint32_t *)check_alloc((size_t)side * SHUFFLE_ROUNDS, sizeof *table);

    for (uint32_t i = 0; i < side * SHUFFLE_ROUNDS; i++)
        table[i] = shuffle_step(side, seed, epoch, i / side, i % side);
    for (int i = 0; i < n; i++) {
        uint64_t cell = (uint64_t)i;

        do
            cell = shuffle_cell(cell, side, seed, epoch, table);
        while (cell >= (uint64_t)n);
        order[i] = (int)cell;
    }
    free(table);
}

#endif

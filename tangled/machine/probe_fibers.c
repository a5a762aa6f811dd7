/* probe_fibers: two fibers take turns; each has its own local variables. */
#include <stdio.h>

#include "machine/fiber.h"

static _Alignas(64) char stacks[2][64 << 10];
static void *fiber[2], *home;
static int total, wrong;

/* count by turns */
static void take_turns(int self)
{
    double half = self;

    for (uint64_t i = 0; i < 100; i++) {
        uint64_t got;

        total++;
        half += 0.5;
        got =
            simt_switch(&fiber[self], self && i == 99 ? home : fiber[!self], i);
        wrong +=
            half != self + 0.5 * ((double)i + 1) || got != (self ? i + 1 : i);
    }
    simt_switch(&fiber[self], home, 0);
}

static void count_0(void)
{
    take_turns(0);
}

static void count_1(void)
{
    take_turns(1);
}

int main(void)
{
    fiber[0] = simt_fresh(stacks[1], count_0);
    fiber[1] = simt_fresh(stacks[1] + sizeof stacks[1], count_1);
    simt_switch(&home, fiber[0], 0);
    printf("%d turns, %d wrong\n", total, wrong);
    return total != 200 || wrong;
}

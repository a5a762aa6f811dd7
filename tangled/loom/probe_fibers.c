/* probe_fibers: two fibers take turns; each has its own local variables. */
#include <stdio.h>

#include "loom/fiber.h"

static _Alignas(64) char stacks[2][64 << 10];
static void *fiber[2], *home;
static int begun, total, wrong;

/* count by turns */
static void take_turns(void)
{
    int self = begun++;
    double half = self;

    for (uint64_t i = 0; i < 100; i++) {
        void *to = self && i == 99 ? home : fiber[!self];
        uint64_t got;

        total++;
        half += 0.5;
        got = loom_switch(&fiber[self], to, i);
        wrong +=
            half != self + 0.5 * ((double)i + 1) || got != (self ? i + 1 : i);
    }
    loom_switch(&fiber[self], home, 0);
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        fiber[i] = loom_fresh(stacks[i] + sizeof stacks[i], take_turns);
    loom_switch(&home, fiber[0], 0);
    printf("%d turns, %d wrong\n", total, wrong);
    return total != 200 || wrong;
}

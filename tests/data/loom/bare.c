/* Two fibers take turns on a processor without a C library: exit status 0 if
   each keeps its variables. For aarch64, with -ffreestanding -nostdlib. */
#include "loom/fiber.h"

static _Alignas(64) char stacks[2][64 << 10];
static void *fiber[2], *home;
static int total, wrong;

static void take_turns(int self)
{
    double half = self;

    for (uint64_t i = 0; i < 100; i++) {
        uint64_t got;

        total++;
        half += 0.5;
        got = loom_switch(&fiber[self], self && i == 99 ? home : fiber[!self],
                          i);
        wrong += half != self + 0.5 * ((double)i + 1) ||
                 got != (self ? i + 1 : i);
    }
    loom_switch(&fiber[self], home, 0);
}

static void first(void)
{
    take_turns(0);
}

static void second(void)
{
    take_turns(1);
}

static void leave(long code)
{
    register long status __asm__("x0") = code;
    register long call __asm__("x8") = 93; /* exit */

    __asm__ volatile("svc 0" : : "r"(status), "r"(call));
}

void start(void)
{
    fiber[0] = loom_fresh(stacks[1], first);
    fiber[1] = loom_fresh(stacks[1] + sizeof stacks[1], second);
    loom_switch(&home, fiber[0], 0);
    leave(total != 200 || wrong);
}

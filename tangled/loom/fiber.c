/* fiber.c: picks the switch of this processor. */
#define _GNU_SOURCE
#include <stdint.h>

#include "loom/fiber.h"

#if defined(__x86_64__) && !defined(LOOM_UCONTEXT)
#include "loom/fiber_x86_64.h"
#elif defined(__aarch64__) && !defined(LOOM_UCONTEXT)
#include "loom/fiber_aarch64.h"
#else
#define SWITCHED_ELSEWHERE
#include "loom/fiber_ucontext.h"
#endif
#ifndef SWITCHED_ELSEWHERE
int loom_switching(void)
{
    return 0;
}
#endif

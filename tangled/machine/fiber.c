/* fiber.c: picks the switch of this processor. */
#define _GNU_SOURCE
#include <stdint.h>

#include "machine/fiber.h"

#if defined(__x86_64__) && !defined(SIMT_UCONTEXT)
#include "machine/fiber_x86_64.h"
#elif defined(__aarch64__) && !defined(SIMT_UCONTEXT)
#include "machine/fiber_aarch64.h"
#else
#define SWITCHED_ELSEWHERE
#include "machine/fiber_ucontext.h"
#endif
#ifndef SWITCHED_ELSEWHERE
int simt_switching(void)
{
    return 0;
}
#endif

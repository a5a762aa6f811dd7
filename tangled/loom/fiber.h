/* fiber.h: threads of execution that the program switches by itself. */
#ifndef LOOM_FIBER_H
#define LOOM_FIBER_H

#include <stdint.h>

/* make a fiber and switch to it */
/* A new fiber. When it is first switched to, it calls f(), which must never
   return, on the stack that ends at top (a multiple of 16). */
void *loom_fresh(void *top, void (*f)(void));

/* Stores the running fiber in *from and goes on with `to`, where the call that
   stored it returns what is passed to it here. Returns when somebody switches
   to *from. */
uint64_t loom_switch(void **from, void *to, uint64_t passed);

/* For the functions between two fibers: nobody interrupts a thread there. */
#define LOOM_TURNS __attribute__((noinline, section("loom_turns")))

/* True in the middle of a switch that is made elsewhere, in the C library. */
int loom_switching(void);
#endif
